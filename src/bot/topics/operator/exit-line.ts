import { parseArgs } from 'node:util'
import type { Core } from '../../../core/core.ts'

export type NewExit = Parameters<Core['operator']['exits']['add']>[1]

const OPTIONS = {
  pool: { type: 'string' },
  url: { type: 'string' },
  direct: { type: 'boolean' },
  country: { type: 'string' },
  city: { type: 'string' },
  template: { type: 'string' },
} as const

/**
 * An exit as the command line takes it: `--pool dynamic_1 --url socks5://user:pass@host:port --country us`; what stands before
 * the options, such as `exit add`, is left out.
 *
 * @returns undefined for what is no such line; what the values mean is checked by the core
 */
export function exitFromLine(line: string): NewExit | undefined {
  const args = wordsOf(line)
  const first = args.findIndex((word) => /^--\w/.test(word))
  try {
    const { values } = parseArgs({ args: args.slice(first), options: OPTIONS, strict: true })
    const { pool, direct = false, ...exit } = values
    if (first < 0 || pool === undefined || direct === (exit.url !== undefined)) return undefined
    return { pool: pool as NewExit['pool'], ...exit }
  } catch (error) {
    // What is wrong may hold credentials, and is not repeated.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Words, quoted or not. The keyboards of phones turn two hyphens into a dash, and straight quotation marks into curly ones. */
function wordsOf(line: string): string[] {
  const plain = line.replaceAll(/(^|\s)[—–](?=\w)/g, '$1--').replaceAll(/[“”„]/g, '"')
  const words = plain.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
