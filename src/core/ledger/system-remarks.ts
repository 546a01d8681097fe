const WORDS = {
  initialBalance: 'Initial balance',
  adjustedByAgent: 'Adjusted by the agent',
  accountDeleted: 'Account deleted',
  renewal: 'Renewal',
} as const

export type SystemRemark = keyof typeof WORDS

/**
 * The remark of an entry that the service itself makes.
 *
 * @param number of the record that it is about
 */
export function systemRemark(remark: SystemRemark, number?: string): string {
  return number === undefined ? WORDS[remark] : `${WORDS[remark]} ${number}`
}

/** Parses a remark of the service, so that it can be translated; undefined for a remark that a person wrote. */
export function readSystemRemark(text: string): { remark: SystemRemark; number: string } | undefined {
  const [, words, number = ''] = /^(.*?)(?: ([A-Z]\d{17}\w{8}))?$/.exec(text) ?? []
  const remark = (Object.keys(WORDS) as SystemRemark[]).find((each) => WORDS[each] === words)
  return remark && { remark, number }
}
