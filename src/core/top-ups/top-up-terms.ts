import type { Micros } from '../money.ts'
import type { Usdt } from '../usdt.ts'

/** The terms on which the operator takes USDT (rules 9.6). */
export interface TopUpTerms {
  /** 10^-6 of the account currency per USDT. */
  readonly rate: Micros
  readonly min: Usdt
  readonly max: Usdt
  /** How long a top-up awaits its payment. */
  readonly expireMs: number
  /** How long after the expiry a payment is still credited. */
  readonly graceMs: number
}

/** Largest difference between our clock and the chain's, by which a payment may seem older than its top-up (rules 8.8). */
export const SKEW_MS = 60_000
/** Time in ms after a cancellation in which a payment is still credited, however scarce the amounts are (rules 8.4). */
export const CANCELLED_GRACE_MS = 60 * 60_000

/** Returns the block time until which the exact amount of an unpaid top-up is credited for certain (rules 8.4, 8.6). */
export function creditedUntil({
  cancelledAt,
  matchUntil,
}: {
  readonly cancelledAt: string | null
  readonly matchUntil: string
}): Date {
  const end = Date.parse(matchUntil)
  const certain = cancelledAt === null ? end : Date.parse(cancelledAt) + CANCELLED_GRACE_MS
  return new Date(Math.min(end, certain))
}
