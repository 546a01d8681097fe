const WORDS = {
  initialBalance: 'Initial balance',
  adjustedByAgent: 'Adjusted by the agent',
  accountDeleted: 'Account deleted',
  renewal: 'Renewal',
} as const

export type SystemRemark = keyof typeof WORDS

/**
 * What the service itself remarks on an entry.
 *
 * @param number of what it is about
 */
export function systemRemark(remark: SystemRemark, number?: string): string {
  return number === undefined ? WORDS[remark] : `${WORDS[remark]} ${number}`
}

/** What a remark of the service says, so that it can be said in another language; undefined for what a person wrote. */
export function readSystemRemark(text: string): { remark: SystemRemark; number: string } | undefined {
  const [, words, number = ''] = /^(.*?)(?: ([A-Z]\d{17}\w{8}))?$/.exec(text) ?? []
  const remark = (Object.keys(WORDS) as SystemRemark[]).find((each) => WORDS[each] === words)
  return remark && { remark, number }
}
