import { z } from 'zod'
import { type Micros, toNumber } from '../../core/money.ts'

/** Types that many fields share (rules 1.9, 1.10, 1.11); what a field means stands with it, or in the glossary. */

/** In units of the account currency, at most 6 decimals. */
export const Money = z.number()
/** UTC. */
export const Time = z.iso.datetime({ precision: 3 })
/** GB of 10^9 bytes. */
export const Gigabytes = z.number()

/** A field without its default, or one that may not be missing, with the description that it has. */
export function required<Inner extends z.ZodType>(
  field: z.ZodType & { readonly unwrap: () => Inner },
): Inner {
  const { description } = field.meta() ?? {}
  return description === undefined ? field.unwrap() : field.unwrap().meta({ description })
}

/** Money on the wire. */
export function money(amount: Micros): number {
  return toNumber(amount)
}

/** Traffic on the wire: GB. */
export function gigabytes(bytes: number): number {
  return bytes / 1_000_000_000
}
