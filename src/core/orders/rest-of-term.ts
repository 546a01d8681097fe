import type { Readable } from '../database/database.ts'
import type { Micros } from '../money.ts'
import { surchargeBy } from './refund-terms.ts'
import type { ReplacedProxy } from './replaced-proxy.ts'

/** What was paid for a stretch of time. */
interface Paid {
  readonly amount: Micros
  /** Milliseconds of the epoch. */
  readonly from: number
  readonly to: number
}

/**
 * What comes back of a proxy's price for the rest of its term, in proportion of time and rounded down (rules 5.22, 5.31): of the order
 * and of each renewal the part that lies ahead, less the same part of what the other proxies of the order cost more without it. Never
 * more than was paid and not given back yet.
 */
export async function restOfTerm(db: Readable, proxy: ReplacedProxy, now: Date): Promise<Micros> {
  const { orderId: id, unitPrice, periods } = proxy
  const surcharge = await surchargeBy(db, { id, unitPrice, periods }, proxy.id)
  const paid = paidFor(proxy)
  const rest = paid.reduce((sum, one) => sum + restOf(one, now.getTime()), 0)
  const total = paid.reduce((sum, { amount }) => sum + amount, 0)
  const kept =
    total === 0 ? 0 : Number((BigInt(surcharge) * BigInt(rest) + BigInt(total) - 1n) / BigInt(total))
  return Math.max(0, Math.min(rest, total - proxy.refundedAmount) - kept)
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
