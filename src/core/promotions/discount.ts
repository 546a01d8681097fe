import type { Micros } from '../money.ts'
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
  readonly totalAmount: Micros
  readonly earning: Micros
  readonly discount: Micros
  /** Null without a discount. */
  readonly promo: UsablePromoCode | null
}

/**
 * Lowers the price of a purchase by a code (rules 13.9, 13.10).
 *
 * @throws promo_code_not_usable for another product, or where nothing would be taken off
 */
export function discounted(
  { productNo, ...list }: ListPrice & { readonly productNo: string },
  promo: UsablePromoCode | undefined,
): Discounted {
  if (!promo) return { ...list, discount: 0, promo: null }
  if (!holdsFor(promo, productNo)) throw notUsable('other_product')
  const { discount } = discountOf(list, promo)
  if (discount === 0) throw notUsable('nothing_to_discount')
  return {
    totalAmount: list.totalAmount - discount,
    earning: list.earning - (promo.agentId === null ? 0 : discount),
    discount,
    promo,
  }
}

/** Whether a code is for a product. */
export function holdsFor({ products }: Pick<UsablePromoCode, 'products'>, productNo: string): boolean {
  return products.length === 0 || products.includes(productNo)
}

/**
 * What a code takes off a purchase (rules 13.10): whoever made it pays, the shop with what it gets, an agent with what it earns, and no
 * more than that. A percentage is one of what the shop gets, of an agent's code one of the whole price; rounded down.
 *
 * @returns 0 where there is nothing to lower; `asked` is what it would be if there were enough
 */
export function discountOf(
  { totalAmount, earning }: ListPrice,
  { agentId, percent, amount }: Pick<UsablePromoCode, 'agentId' | 'percent' | 'amount'>,
): { readonly discount: Micros; readonly asked: Micros } {
  const shops = totalAmount - earning
  const [base, most] = agentId === null ? [shops, shops] : [totalAmount, earning]
  const asked = amount ?? partOf(base, percent ?? 0, 100)
  return { discount: Math.min(most, asked), asked }
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
