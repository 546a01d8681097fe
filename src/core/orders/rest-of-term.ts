import type { Micros } from '../money.ts'
import type { ReplacedProxy } from './replaced-proxy.ts'

/** What was paid for a stretch of time. */
interface Paid {
  readonly amount: Micros
  /** Milliseconds of the epoch. */
  readonly from: number
  readonly to: number
}

/**
 * What was paid for the rest of a proxy's term, in proportion of time and rounded down (rules 5.22): of the order and of each renewal
 * the part that lies ahead. Never more than was paid and not given back yet.
 */
export function restOfTerm(proxy: ReplacedProxy, now: Date): Micros {
  const paid = paidFor(proxy)
  const rest = paid.reduce((sum, one) => sum + restOf(one, now.getTime()), 0)
  const total = paid.reduce((sum, { amount }) => sum + amount, 0)
  return Math.max(0, Math.min(rest, total - proxy.refundedAmount))
}

function paidFor({ unitPrice, periods, discount, openedAt, expireTime, renewals }: ReplacedProxy): Paid[] {
  const bought = {
    amount: unitPrice * periods - discount,
    from: Date.parse(openedAt),
    to: Date.parse(renewals[0]?.oldExpireTime ?? expireTime),
  }
  return [
    bought,
    ...renewals.map(({ amount, oldExpireTime, newExpireTime, createdAt }) => ({
      amount,
      from: Math.max(Date.parse(oldExpireTime), Date.parse(createdAt)),
      to: Date.parse(newExpireTime),
    })),
  ]
}

/** With BigInt: micros times milliseconds are beyond the exact numbers. */
function restOf({ amount, from, to }: Paid, now: number): Micros {
  const length = to - from
  const left = Math.min(Math.max(to - now, 0), length)
  return length <= 0 ? 0 : Number((BigInt(amount) * BigInt(left)) / BigInt(length))
}
