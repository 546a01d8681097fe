import type { Readable } from '../database/database.ts'
import { type Micros, shareOf, shareRoundedUp } from '../money.ts'
import { surchargeBy } from './refund-terms.ts'
import type { ReplacedProxy } from './replaced-proxy.ts'

/** What was paid for a stretch of time. */
interface Paid {
  readonly amount: Micros
  /** Milliseconds of the epoch. */
  readonly from: number
  readonly to: number
}

/** What comes back for the rest of a term. */
interface RestOfTerm {
  /** Amount for the customer. */
  readonly amount: Micros
  /** Amount for the agent whose balance paid a part of the price (rules 13.16). */
  readonly toAgent: Micros
}

/**
 * Calculates what comes back of a proxy's price for the rest of its term, in proportion to time and rounded down (rules 5.22, 5.31): of
 * the order and of each renewal the part that lies ahead, less the same part of what the other proxies of the order cost more without
 * it. Never more than was paid and not given back yet. Of the refund of the order, the agent gets as large a part as it paid of the order.
 */
export async function restOfTerm(db: Readable, proxy: ReplacedProxy, now: Date): Promise<RestOfTerm> {
  const { orderId: id, unitPrice, periods, refundedAmount, agentPaid, agentReturned } = proxy
  const surcharge = await surchargeBy(db, { id, unitPrice, periods }, proxy.id)
  const bought = boughtFor(proxy)
  const paid = [bought, ...renewedFor(proxy)]
  const rest = paid.reduce((sum, one) => sum + restOf(one, now.getTime()), 0)
  const total = paid.reduce((sum, { amount }) => sum + amount, 0)
  const kept = shareRoundedUp(surcharge, rest, total)
  const left = total - refundedAmount - agentReturned
  const back = Math.max(0, Math.min(rest, left) - kept)
  const agentsLeft = agentPaid - agentReturned
  const ofOrder = shareOf(agentPaid, restOf(bought, now.getTime()), Math.max(1, bought.amount))
  const share = shareOf(ofOrder, back, Math.max(1, rest))
  // Neither the agent nor the customer gets back more than they have paid.
  const toAgent = Math.min(agentsLeft, back, Math.max(share, back - (left - agentsLeft)))
  return { amount: back - toAgent, toAgent }
}

function boughtFor(proxy: ReplacedProxy): Paid {
  const { unitPrice, periods, discount, agentPaid, openedAt, expireTime, renewals } = proxy
  return {
    amount: unitPrice * periods - (discount - agentPaid),
    from: Date.parse(openedAt),
    to: Date.parse(renewals[0]?.oldExpireTime ?? expireTime),
  }
}

function renewedFor({ renewals }: ReplacedProxy): Paid[] {
  return renewals.map(({ amount, oldExpireTime, newExpireTime, createdAt }) => ({
    amount,
    from: Math.max(Date.parse(oldExpireTime), Date.parse(createdAt)),
    to: Date.parse(newExpireTime),
  }))
}

function restOf({ amount, from, to }: Paid, now: number): Micros {
  const length = to - from
  const left = Math.min(Math.max(to - now, 0), length)
  return shareOf(amount, left, length)
}
