import { z } from 'zod'
import { recordId, telegramUserId } from '../core/identifiers.ts'
import { addressOrProxy } from '../core/ip-address.ts'
import { fromText, toNumber } from '../core/money.ts'
import { UNIT } from '../core/term.ts'
import { decimalIn, wholeIn } from '../core/typed-number.ts'
import { typed } from './action.ts'
import { Refusal } from './refusal.ts'

/** Text that is no value of its kind; its message is a sentence. */
export class InvalidText extends Error {
  override readonly name = 'InvalidText'
}

/** Parses an amount in units of the currency; its sign and size are checked by the core. */
export function amount(text: string): number {
  const micros = fromText(text)
  if (micros === undefined) throw new InvalidText('It must be an amount such as 12, 12.5 or -0.000001.')
  return toNumber(micros)
}

export const FREE_HELP = 'the price of 0 is meant: everybody gets it for nothing'

/**
 * Returns the price. A price of 0 has to be confirmed by `--free`, as it gives the product away.
 *
 * @throws Refusal for 0 without `--free`
 */
export function meantPrice(price: number, free = false): number {
  if (price === 0 && !free) {
    throw new Refusal(
      'validation_error',
      'A price of 0 gives it away for nothing: add --free if that is meant; nothing was changed',
    )
  }
  return price
}

/** Parses a percentage of 0 or more. */
export function percent(text: string): number {
  const plain = decimalIn(text, '%') ?? ''
  if (!/^\d{1,5}(\.\d{1,2})?$/.test(plain))
    throw new InvalidText('It must be a number such as 20 or 12.5, with at most 2 decimals.')
  return Number(plain)
}

/** Adds the value of a repeated option to those before it. */
export function collected(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** Parses a place such as `US`, `US/USLAX` or, with its state, `US/CA/USLAX`. */
export function place(text: string): { countryCode: string; state?: string; cityCode: string } {
  const [countryCode = '', ...others] = text.toUpperCase().split('/')
  const [cityCode = '', state] = others.toReversed()
  if (!/^[A-Z]{2}$/.test(countryCode) || others.length > 2)
    throw new InvalidText('It must be like US, US/USLAX or US/CA/USLAX.')
  return { countryCode, cityCode, ...(state === undefined ? {} : { state }) }
}

/** Parses the id of a record, as a list shows it (rules 1.22). */
export function idArgument(text: string): number {
  const number = recordId(text)
  if (number === undefined) throw new InvalidText('It must be an id: digits only.')
  return number
}

/** Parses the id of a Telegram user. */
export function telegramUser(text: string): number {
  const number = telegramUserId(text)
  if (number === undefined) throw new InvalidText('It must be the id of a Telegram user, such as 5596148289.')
  return number
}

/** Parses a whole number of 0 or more. */
export function wholeNumber(text: string): number {
  const number = wholeIn(text)
  if (number === undefined) throw new InvalidText('It must be a whole number.')
  return number
}

export interface Period {
  readonly periodUnit: 1 | 3
  readonly periodLength: number
}

/** Parses a billing period such as `1month` or `30day`. */
export function period(text: string): Period {
  const [, length, unit] = /^(\d{1,3})\s?(day|month)s?$/.exec(text) ?? []
  if (unit !== 'day' && unit !== 'month') throw new InvalidText('It must be like 1month or 30day.')
  return { periodUnit: UNIT[unit], periodLength: Number(length) }
}

/** Parses `CODE=NAME` of a project; values of a repeated option are collected. */
export function project(
  text: string,
  before: readonly { code: string; name: string }[] = [],
): { code: string; name: string }[] {
  const [, code, name] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (code === undefined || name === undefined) throw new InvalidText('It must be like amazon=Amazon.')
  return [...before, { code, name }]
}

/** Parses codes such as `US,GB`; `all` is the empty list. */
export function codes(text: string): string[] {
  if (text === 'all') return []
  return text.split(',').map((code) => code.trim())
}

/** Checks an IP address, or a proxy on it (`IP:PORT`); values of a repeated argument are collected. */
export function address(text: string, before: readonly string[] = []): string[] {
  if (!addressOrProxy.safeParse(text).success) throw new InvalidText('It must be an IP address, or IP:PORT.')
  return [...before, text]
}

/** The text of a CSV file with these columns. */
export function csvFile(heading: string) {
  return typed(z.string(), '<file>', `CSV ("-": from standard input) with the heading ${heading}`, {
    reads: 'file',
  })
}
