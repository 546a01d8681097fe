import type { Contender } from './contender.ts'
import type { Request } from './load.ts'

/** @throws when the contenders do not do the same: only numbers that are made anew for each order may differ */
export async function compareAnswers(
  { path, ...request }: Request,
  contenders: readonly Contender[],
): Promise<void> {
  const answers = await Promise.all(
    contenders.map(async ({ address }) => {
      const response = await fetch(address + path, { ...request, body: request.body ?? null })
      const text = await response.text()
      return `${response.status} ${request.method === 'GET' ? text : text.replaceAll(/[SA][0-9A-Z]{20,}/g, '…')}`
    }),
  )
  const [first] = answers
  for (const answer of answers) {
    if (first?.startsWith('200 ') && answer === first) continue
    const at = answer.split('').findIndex((character, index) => character !== first?.[index])
    const around = (text = '') => text.slice(Math.max(at - 60, 0), at + 60)
    throw new Error(`the answers differ at ${path}:\n${around(first)}\n${around(answer)}`)
  }
}
