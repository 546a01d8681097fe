import { z } from 'zod'
import { type Micros, toNumber } from '../../core/money.ts'

/** Fields that many records share (contract 1: shape of the wire). */

export const Money = z.number().meta({ description: 'In units of the account currency, at most 6 decimals' })
export const Time = z.iso.datetime({ precision: 3 }).meta({ description: 'UTC' })
export const Gigabytes = z.number().meta({ description: 'In GB (10^9 bytes)' })

/** Money on the wire. */
export function money(amount: Micros): number {
  return toNumber(amount)
}

/** Traffic on the wire: GB. */
export function gigabytes(bytes: number): number {
  return bytes / 1_000_000_000
}
