import { z } from 'zod'
import { isCountryCode } from '../../core/catalog/country-code.ts'
import type { ProxyFormat } from '../../core/proxy-formats.ts'
import { EXTRACT_LIMITS } from '../../core/traffic/extraction-input.ts'
import type { Parameter, Read } from '../kit/action.ts'
import { optional, text, wholeNumber } from '../kit/parameters.ts'

/** Formats of a line by their letter in a button, in the notation that the extraction takes (rules 6.6). */
export const LINE_FORMATS = {
  c: 'host:port:username:password',
  a: 'username:password@host:port',
  u: 'protocol://username:password@host:port',
  v: 'host,port,username,password',
} as const
export type LineFormat = keyof typeof LINE_FORMATS

/** What is extracted, and how it is written. */
export interface ExtractionForm {
  readonly productId: number
  /** Empty for any. */
  readonly countryCode: string
  /** Minutes for which each proxy keeps its exit; 0: every request may get another one. */
  readonly minutes: number
  readonly quantity: number
  readonly protocol: 'http' | 'socks5'
  readonly format: LineFormat
}

/** A form in a button; with the product only, nothing is chosen yet. */
export const FORM = {
  productId: wholeNumber,
  countryCode: optional(text),
  minutes: optional(wholeNumber),
  quantity: optional(wholeNumber),
  protocol: {
    schema: z
      .string()
      .optional()
      .transform((letter) => (letter === 's' ? 'socks5' : 'http')),
    write: (protocol) => protocol.charAt(0),
  } as Parameter<ExtractionForm['protocol'], ExtractionForm['protocol'] | undefined>,
  format: {
    schema: z.enum(['c', 'a', 'u', 'v']).default('c').catch('c'),
    write: String,
  } as Parameter<LineFormat, LineFormat | undefined>,
}

/** A form as it is opened: with the line format that the chat prefers. */
function newForm(productId: number, preferred: ProxyFormat): ExtractionForm {
  const format = { colon: 'c', at: 'a', http: 'u', socks5: 'u', csv: 'v' } as const
  const protocol = preferred === 'socks5' ? 'socks5' : 'http'
  return { productId, countryCode: '', minutes: 0, quantity: 1, protocol, format: format[preferred] }
}

/** Whether a button carries the product only: the form is that of the last time. */
export function isUnfilled({ countryCode }: Read<typeof FORM>): boolean {
  return countryCode === undefined
}

/**
 * The form of a pressed button.
 *
 * @returns undefined when it was forged
 */
export function formOf(
  { productId, countryCode, minutes = 0, quantity = 0, protocol, format }: Read<typeof FORM>,
  preferred: ProxyFormat,
): ExtractionForm | undefined {
  if (productId === undefined) return undefined
  if (countryCode === undefined) return newForm(productId, preferred)
  const isPossible =
    (countryCode === '' || isCountryCode(countryCode)) &&
    minutes <= EXTRACT_LIMITS.minutes &&
    quantity >= 1 &&
    quantity <= EXTRACT_LIMITS.quantity
  return isPossible ? { productId, countryCode, minutes, quantity, protocol, format } : undefined
}
