import { z } from 'zod'
import { type Micros, toNumber } from '../../core/money.ts'

/** Types that many fields share (rules 1.9, 1.10, 1.11); what a field means stands with it, or in the glossary. */

/** An amount in units of the account currency, at most 6 decimals. */
export const Money = z.number()
/** ISO 8601 in UTC, to the millisecond. */
export const Time = z.iso.datetime({ precision: 3 })
/** GB of 10^9 bytes. */
export const Gigabytes = z.number()

/** Removes the default of a field, or makes an optional one required, and keeps its description. */
export function required<Inner extends z.ZodType>(
  field: z.ZodType & { readonly unwrap: () => Inner },
): Inner {
  const { description } = field.meta() ?? {}
  return description === undefined ? field.unwrap() : field.unwrap().meta({ description })
}

/** Converts micro-units to money on the wire. */
export function money(amount: Micros): number {
  return toNumber(amount)
}

/** Converts bytes to traffic on the wire: GB. */
export function gigabytes(bytes: number): number {
  return bytes / 1_000_000_000
}
