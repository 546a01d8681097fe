import { type Actor, targetUser } from '../access/actor.ts'
import type { NextTier } from '../catalog/tiers.ts'
import { parseInput } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import type { Micros } from '../money.ts'
import { usablePromoCode } from '../promotions/usable-promo-code.ts'
import { priceStaticOrder, selectionOf } from './price-static-order.ts'
import { StaticOrderInput } from './static-order-input.ts'
import { supplierOf } from '../supply/supplier.ts'
import type { OrderDeps } from './deps.ts'

export interface Quote {
  /** Username of the account that pays. */
  readonly username: string
  readonly unitPrice: Micros
  /** Number of IPs, or GB of traffic. */
  readonly quantity: number
  /** Billing periods; 1 for traffic. */
  readonly periods: number
  /** What is to be paid, after the discount. */
  readonly totalAmount: Micros
  /** What the promotion code takes off; 0 without one. */
  readonly discount: Micros
  readonly promoCode: string | null
  readonly currency: string
  readonly balance: Micros
  /** Negative when the balance does not suffice. */
  readonly balanceAfter: Micros
  /** The next lower price and the quantity from which it holds. */
  readonly nextTier: NextTier | null
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
