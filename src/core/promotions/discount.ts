import type { Micros } from '../money.ts'
import type { UsablePromoCode } from './promo-code.ts'
import { notUsable } from './promo-refusals.ts'

/** What a purchase costs by the price list, and how it is shared. */
interface ListPrice {
  readonly productNo: string
  readonly totalAmount: Micros
  /** The part of the total that is the agent's of the buyer. */
  readonly earning: Micros
}

/** What a purchase costs after the discount of a code. */
export interface Discounted {
  readonly totalAmount: Micros
  readonly earning: Micros
  readonly discount: Micros
  /** Null without a discount. */
  readonly promo: UsablePromoCode | null
}

/**
 * Lowers the price of a purchase by a code (rules 13.9, 13.10). Whoever made the code pays: the discount is at most the earning of
 * the agent, or what the shop gets. A percentage is one of the whole price, rounded down.
 *
 * @throws promo_code_not_usable for another product, or where nothing would be taken off
 */
export function discounted(list: ListPrice, promo: UsablePromoCode | undefined): Discounted {
  const { totalAmount, earning, productNo } = list
  if (!promo) return { totalAmount, earning, discount: 0, promo: null }
  if (promo.products.length > 0 && !promo.products.includes(productNo)) throw notUsable('other_product')
  const isAgents = promo.agentId !== null
  const most = isAgents ? earning : totalAmount - earning
  const discount = Math.min(most, promo.amount ?? partOf(totalAmount, promo.percent ?? 0, 100))
  if (discount === 0) throw notUsable('nothing_to_discount')
  return {
    totalAmount: totalAmount - discount,
    earning: isAgents ? earning - discount : earning,
    discount,
    promo,
  }
}

/**
 * The share of the discount of an order that belongs to one of its proxies (rules 13.12). All shares together are the discount.
 *
 * @param index of the proxy, from 0
 * @param count proxies ordered
 */
export function shareOf(discount: Micros, index: number, count: number): Micros {
  return sharesBefore(discount, index + 1, count) - sharesBefore(discount, index, count)
}

/** The shares of the first proxies of an order together. */
export function sharesBefore(discount: Micros, proxies: number, count: number): Micros {
  return partOf(discount, proxies, count)
}

/** Rounded down; exact beyond 2^53. */
function partOf(amount: Micros, part: number, whole: number): Micros {
  return Number((BigInt(amount) * BigInt(part)) / BigInt(whole))
}
