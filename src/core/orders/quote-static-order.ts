import { z } from 'zod'
import { type Actor, targetUser } from '../access/actor.ts'
import { parseInput } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import { usablePromoCode } from '../promotions/usable-promo-code.ts'
import { type Held, Money, record } from '../record.ts'
import { priceStaticOrder, selectionOf } from './price-static-order.ts'
import { StaticOrderInput } from './static-order-input.ts'
import { supplierOf } from '../supply/supplier.ts'
import type { OrderDeps } from './deps.ts'

/** Fields shown of what an order would cost (rules 3.6). */
export const QUOTE = {
  unitPrice: Money.meta({ description: 'Per IP and billing period, or per GB' }),
  quantity: z.number().meta({ description: 'Number of IPs, or GB' }),
  periods: z.int().meta({ description: 'Number of billing periods; 1 for traffic' }),
  discount: Money.meta({ description: 'What the promotion code takes off; 0 without one' }),
  promoCode: z.string().nullable(),
  totalAmount: Money.meta({ description: 'What is to be paid, after the discount' }),
  currency: z.string(),
  balance: Money.meta({ description: 'Balance of the target user' }),
  balanceAfter: Money.meta({ description: 'Negative when the balance does not suffice' }),
  nextTier: record({ minQuantity: z.int(), price: Money })
    .nullable()
    .meta({ description: 'The next lower price, and the quantity (IPs or GB) from which it holds' }),
}

export interface Quote extends Held<typeof QUOTE> {
  /** Username of the account that pays. */
  readonly username: string
}

/**
 * Calculates what an order would cost, without changing anything (rules 3.6). Refuses what the order would refuse, except a low
 * balance, which shows as a negative `balanceAfter`.
 *
 * @throws out_of_stock, assigned_ip_unavailable, promo_code_not_found, promo_code_not_usable, rate_limited, and what pricing and targeting refuse
 */
export async function quoteStaticOrder(
  deps: OrderDeps,
  actor: Actor,
  input: StaticOrderInput,
): Promise<Quote> {
  const order = parseInput(StaticOrderInput, input)
  const { read } = deps.db
  const buyer = await targetUser(read, actor, order.userId)
  const code = await usablePromoCode(deps, read, actor, buyer, order.promoCode)
  const terms = await priceStaticOrder(read, deps.clock.now(), buyer, order, code)
  const { offer } = terms
  if (!offer) await supplierOf(deps, terms.supplier).check(read, selectionOf(terms.productId, order))
  const { unitPrice, periods, totalAmount, discount, promo, nextTier } = terms
  const balance = await balanceOf(read, buyer.id)
  return {
    username: buyer.username,
    unitPrice,
    quantity: order.ipCount,
    periods,
    totalAmount,
    discount,
    promoCode: promo?.code ?? null,
    currency: deps.currency,
    balance,
    balanceAfter: balance - totalAmount,
    nextTier,
  }
}
