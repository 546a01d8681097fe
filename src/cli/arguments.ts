import { isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'
import { fromText, toNumber } from '../core/money.ts'
import { UNIT } from '../core/term.ts'

/** An amount as typed, in units of the currency; its sign and size are the core's business. */
export function amount(text: string): number {
  const micros = fromText(text)
  if (micros === undefined)
    throw new InvalidArgumentError('It must be an amount such as 12, 12.5 or -0.000001.')
  return toNumber(micros)
}

/** A whole number of 0 or more. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

export interface Period {
  readonly periodUnit: 1 | 3
  readonly periodLength: number
}

/** A billing period such as `1month` or `30day`. */
export function period(text: string): Period {
  const [, length, unit] = /^(\d{1,3})\s?(day|month)s?$/.exec(text) ?? []
  if (unit !== 'day' && unit !== 'month') throw new InvalidArgumentError('It must be like 1month or 30day.')
  return { periodUnit: UNIT[unit], periodLength: Number(length) }
}

/** `CODE=NAME` of a project, collected over all its occurrences. */
export function project(
  text: string,
  before: readonly { code: string; name: string }[] = [],
): { code: string; name: string }[] {
  const [, code, name] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (code === undefined || name === undefined)
    throw new InvalidArgumentError('It must be like amazon=Amazon.')
  return [...before, { code, name }]
}

/** An IP address, collected over all its occurrences. */
export function address(text: string, before: readonly string[] = []): string[] {
  if (isIP(text) === 0) throw new InvalidArgumentError('It must be an IP address.')
  return [...before, text]
}
