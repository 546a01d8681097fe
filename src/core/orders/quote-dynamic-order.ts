import { type Actor, targetUser } from '../access/actor.ts'
import { parseInput } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import { usablePromoCode } from '../promotions/usable-promo-code.ts'
import { DynamicOrderInput } from './dynamic-order-input.ts'
import { priceDynamicOrder } from './price-dynamic-order.ts'
import type { Quote } from './quote-static-order.ts'
import type { OrderDeps } from './deps.ts'

/** Calculates what traffic would cost, without changes (rules 3.6). Refuses what the order would refuse, except a low balance. */
export async function quoteDynamicOrder(
  deps: OrderDeps,
  actor: Actor,
  input: DynamicOrderInput,
): Promise<Quote> {
  const order = parseInput(DynamicOrderInput, input)
  const { read } = deps.db
  const buyer = await targetUser(read, actor, order.userId ?? actor.id)
  const code = await usablePromoCode(deps, read, actor, buyer, order.promoCode)
  const terms = await priceDynamicOrder(read, buyer, order, code)
  const { unitPrice, totalAmount, discount, promo, nextTier } = terms
  const balance = await balanceOf(read, buyer.id)
  return {
    username: buyer.username,
    unitPrice,
    quantity: order.trafficAmount,
    periods: 1,
    totalAmount,
    discount,
    promoCode: promo?.code ?? null,
    currency: deps.currency,
    balance,
    balanceAfter: balance - totalAmount,
    nextTier,
  }
}
