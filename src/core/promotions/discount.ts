import { type Micros, shareOf } from '../money.ts'
import type { UsablePromoCode } from './promo-code.ts'
import { notUsable } from './promo-refusals.ts'

/** What a purchase costs by the price list, and how it is shared. */
export interface ListPrice {
  readonly totalAmount: Micros
  /** The part of the total that is the agent's of the buyer. */
  readonly earning: Micros
}

/** What a purchase costs after the discount of a code. */
export interface Discounted {
  /** What the buyer pays. */
  readonly totalAmount: Micros
  readonly earning: Micros
  readonly discount: Micros
  /** The part of the discount that the balance of the agent pays. */
  readonly agentPaid: Micros
  /** What the shop gets, of the buyer and of the agent. */
  readonly shopAmount: Micros
  /** Null without a discount. */
  readonly promo: UsablePromoCode | null
}

/**
 * Lowers the price of a purchase by a code (rules 13.9, 13.10, 13.16).
 *
 * @throws promo_code_not_usable for another product, or where nothing would be taken off
 */
export function discounted(
  { productNo, ...list }: ListPrice & { readonly productNo: string },
  promo: UsablePromoCode | undefined,
): Discounted {
  const shops = list.totalAmount - list.earning
  if (!promo) return { ...list, discount: 0, agentPaid: 0, shopAmount: shops, promo: null }
  if (!holdsFor(promo, productNo)) throw notUsable('other_product')
  const { discount, agentPaid } = discountOf(list, promo)
  if (discount === 0) throw notUsable('nothing_to_discount')
  const isShops = promo.agentId === null
  return {
    totalAmount: list.totalAmount - discount,
    earning: list.earning - (isShops ? 0 : discount - agentPaid),
    discount,
    agentPaid,
    shopAmount: isShops ? shops - discount : shops,
    promo,
  }
}

/** Whether a code is for a product. */
export function holdsFor({ products }: Pick<UsablePromoCode, 'products'>, productNo: string): boolean {
  return products.length === 0 || products.includes(productNo)
}

/**
 * What a code takes off a purchase (rules 13.10, 13.16): whoever made it pays, the shop with what it gets, an agent with what it earns
 * and then with what its balance covers, and no more than that. A percentage is one of what the shop gets, of an agent's code one of the
 * whole price; rounded down.
 *
 * @returns 0 where there is nothing to lower; `asked` is what it would be if there were enough, `agentPaid` what the balance pays of it
 */
export function discountOf(
  { totalAmount, earning }: ListPrice,
  { agentId, percent, amount, cover }: Pick<UsablePromoCode, 'agentId' | 'percent' | 'amount' | 'cover'>,
): { readonly discount: Micros; readonly asked: Micros; readonly agentPaid: Micros } {
  const shops = totalAmount - earning
  const [base, most] = agentId === null ? [shops, shops] : [totalAmount, earning + Math.min(cover, shops)]
  const asked = amount ?? shareOf(base, percent ?? 0, 100)
  const discount = Math.min(most, asked)
  return { discount, asked, agentPaid: agentId === null ? 0 : Math.max(0, discount - earning) }
}

/** An order with a discount. */
interface DiscountedOrder {
  /** What each proxy costs without it. */
  readonly price: Micros
  /** Proxies ordered. */
  readonly count: number
  readonly discount: Micros
  readonly agentPaid: Micros
}

/** What belongs to proxies of an order. */
export interface DiscountShare {
  readonly discount: Micros
  /** The part of that which the agent's balance paid. */
  readonly agentPaid: Micros
}

/**
 * The share of the discount of an order that belongs to one of its proxies (rules 13.12, 13.16). All shares together are the discount.
 *
 * @param index of the proxy, from 0
 */
export function discountOfProxy(order: DiscountedOrder, index: number): DiscountShare {
  const [before, after] = [sharesBefore(order, index), sharesBefore(order, index + 1)]
  return { discount: after.discount - before.discount, agentPaid: after.agentPaid - before.agentPaid }
}

/** The shares of the first proxies of an order together. What the agent's balance paid belongs to them as what both paid does. */
export function sharesBefore(
  { price, count, discount, agentPaid }: DiscountedOrder,
  proxies: number,
): DiscountShare {
  const given = shareOf(discount - agentPaid, proxies, count)
  if (agentPaid === 0) return { discount: given, agentPaid: 0 }
  const paidByBoth = price * count - (discount - agentPaid)
  const own = shareOf(agentPaid, price * proxies - given, paidByBoth)
  return { discount: given + own, agentPaid: own }
}

/** What the balance of an agent paid of a proxy, beside its buyer. */
export interface PaidByBoth {
  readonly agentPaid: Micros
  readonly agentReturned: Micros
}

/**
 * The agent's part of what comes back of a proxy, or of traffic (rules 13.16): as large a part of what is left of its own as the
 * refund is of what is left.
 *
 * @param amount what comes back, of what the buyer has paid or of what both have
 * @param left what has not come back of that
 */
export function agentsPartOf({ agentPaid, agentReturned }: PaidByBoth, amount: Micros, left: Micros): Micros {
  const own = agentPaid - agentReturned
  return amount >= left ? own : shareOf(own, amount, left)
}
