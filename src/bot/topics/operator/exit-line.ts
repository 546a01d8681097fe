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
  resolve: { type: 'string' },
} as const

export type ExitChange = Parameters<Core['operator']['exits']['edit']>[2]

/**
 * Reads a change of an exit, by the options of {@link exitFromLine}; a hyphen removes a place or a template, `--direct` the address.
 *
 * @returns undefined for what is no such line
 */
export function exitChangeFromLine(line: string): ExitChange | undefined {
  const values = optionsIn(line)
  if (!values || (values.direct && values.url !== undefined)) return undefined
  const { pool, direct = false, url, resolve, ...place } = values
  const named = Object.entries(place).map(([name, value]) => [name, value === '-' ? null : value])
  return {
    ...(pool !== undefined && { pool: pool as NewExit['pool'] }),
    ...(direct ? { url: null } : url !== undefined && { url }),
    ...(resolve !== undefined && { resolve: resolve as NewExit['resolve'] }),
    ...Object.fromEntries(named),
  }
}

/**
 * Reads an exit in the syntax of the command line: `--pool dynamic_1 --url socks5://user:pass@host:port --country us`; words
 * before the options, such as `exit add`, are ignored.
 *
 * @returns undefined for what is no such line; what the values mean is checked by the core
 */
export function exitFromLine(line: string): NewExit | undefined {
  const values = optionsIn(line)
  if (!values) return undefined
  const { pool, direct = false, resolve, ...exit } = values
  if (pool === undefined || direct === (exit.url !== undefined)) return undefined
  return {
    pool: pool as NewExit['pool'],
    ...exit,
    ...(resolve !== undefined && { resolve: resolve as NewExit['resolve'] }),
  }
}

function optionsIn(line: string) {
  const args = wordsOf(line)
  const first = args.findIndex((word) => /^--\w/.test(word))
  if (first < 0) return undefined
  try {
    return parseArgs({ args: args.slice(first), options: OPTIONS, strict: true }).values
  } catch (error) {
    // The message of the error may repeat credentials, so it is dropped.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Splits a line into words, quoted or not. Phone keyboards turn two hyphens into a dash, and straight quotation marks into curly ones. */
function wordsOf(line: string): string[] {
  const plain = line.replaceAll(/(^|\s)[—–](?=\w)/g, '$1--').replaceAll(/[“”„]/g, '"')
  const words = plain.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
