import { type Actor, targetUser } from '../access/actor.ts'
import { parseInput } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import { capableConnection } from '../supply/capable-connection.ts'
import { findStaticOrder } from './find-static-order.ts'
import type { Quote } from './quote-static-order.ts'
import { RenewalInput } from './renewal-input.ts'
import { priceRenewal, type RenewalItem, wantedInstances } from './renewal-terms.ts'
import type { OrderDeps } from './deps.ts'

export interface RenewalQuote extends Omit<Quote, 'periods' | 'discount' | 'promoCode'> {
  /** Proxies in the order of the request, each with its billing periods and price. */
  readonly instances: readonly Omit<RenewalItem, 'id'>[]
}

/**
 * Calculates what a renewal would cost and do, without changing anything. Refuses what the renewal would refuse, except a low balance.
 *
 * @throws as the renewal
 */
export async function quoteRenewal(
  deps: OrderDeps,
  actor: Actor,
  input: RenewalInput,
): Promise<RenewalQuote> {
  const request = parseInput(RenewalInput, input)
  const { read } = deps.db
  const now = deps.clock.now()
  const order = await findStaticOrder(read, actor, request.order)
  const buyer = await targetUser(read, actor, order.userId)
  const wanted = await wantedInstances(read, now, order, request)
  if (order.connectionId !== null)
    await capableConnection(deps, 'renews', { ...order, connectionId: order.connectionId })
  const { unitPrice, amount, items, nextTier } = await priceRenewal(read, now, { order, buyer, wanted })
  const balance = await balanceOf(read, buyer.id)
  return {
    username: buyer.username,
    unitPrice,
    quantity: items.length,
    totalAmount: amount,
    currency: deps.currency,
    balance,
    balanceAfter: balance - amount,
    nextTier,
    instances: items.map(({ id: _id, ...item }) => item),
  }
}
