import { type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { priceAt, type PriceTiers, type SoldTiers, startsOf } from './tiers.ts'
import type { ValueOf } from '../database/dialect.ts'
import type { Micros } from '../money.ts'
import { AGENT_PRICE_TERMS, type AgentPriceTerms, mostOver, termsOf } from './price-limits.ts'

const BPS = 10_000n

/** A price that an agent has set: a markup on its own price, or a fixed one. */
export interface AgentPriceRow {
  readonly userId: number | null
  readonly productId: number | null
  readonly minQuantity: number
  /** Markup in basis points (1/100 percent). */
  readonly markupBps: number | null
  readonly price: Micros | null
  /** The operator's setting {@link AGENT_PRICE_TERMS}, which limits the price. */
  readonly terms: string | null
}

/** Query of the prices that the agent of a buyer has set for it and a product. */
export function agentPriceRows(
  { userId, agentId }: { readonly userId: ValueOf<number>; readonly agentId: ValueOf<number> },
  product: Expression<number>,
) {
  return expressionBuilder<DB>()
    .selectFrom('agentPrices as a')
    .select(['a.userId', 'a.productId', 'a.minQuantity', 'a.markupBps', 'a.price'])
    .select(({ selectFrom }) =>
      selectFrom('settings').select('value').where('key', '=', AGENT_PRICE_TERMS).as('terms'),
    )
    .where('a.agentId', '=', agentId)
    .where(({ eb, or }) => or([eb('a.userId', 'is', null), eb('a.userId', '=', userId)]))
    .where(({ eb, or }) => or([eb('a.productId', 'is', null), eb('a.productId', '=', product)]))
}

/**
 * Returns what a sub-user pays by the prices of its agent (rules 13.1): the narrowest of them that the quantity reaches, never less
 * than the shop gets, and at most the limit of the operator (rules 13.13). Without one, or where the shop has no price, the sub-user
 * pays what it would pay without an agent's price.
 *
 * @param own what the sub-user would pay without an agent's price
 * @param shops what the shop gets
 * @param prices for this sub-user and product, by ascending quantity
 */
export function pricesByAgent(
  own: PriceTiers,
  shops: PriceTiers,
  prices: readonly AgentPriceRow[],
): SoldTiers {
  const terms = termsOf(prices[0]?.terms)
  const scopes = [0, 1, 2, 3].map((width) => prices.filter((price) => widthOf(price) === width))
  const reached = (quantity: number) =>
    scopes
      .map((scope) => scope.findLast(({ minQuantity }) => minQuantity <= quantity))
      .find((price) => price !== undefined)
  const starts = startsOf([own, shops, prices.map(({ minQuantity }) => [minQuantity, 0] as const)])
  const sold = starts.flatMap((quantity) => {
    const [price, least] = [reached(quantity), priceAt(shops, quantity)]
    if (price && least !== undefined) return [{ quantity, pays: priceBy(price, least, terms), least }]
    const pays = priceAt(own, quantity)
    return pays === undefined ? [] : [{ quantity, pays, least: pays }]
  })
  return {
    // A tier that changes only what the shop gets is hidden from the sub-user.
    tiers: sold.flatMap(({ quantity, pays }, index) =>
      pays === sold[index - 1]?.pays ? [] : [[quantity, pays] as const],
    ),
    shopTiers: sold.map(({ quantity, least }) => [quantity, least]),
  }
}

/** Returns 0 for a price of one sub-user and product, 3 for one of all sub-users and products. */
function widthOf({ userId, productId }: AgentPriceRow): number {
  return (userId === null ? 2 : 0) + (productId === null ? 1 : 0)
}

function priceBy({ price, markupBps }: AgentPriceRow, least: Micros, terms: AgentPriceTerms): Micros {
  const wanted = price ?? markedUp(least, markupBps ?? 0, terms)
  return Math.max(least, Math.min(wanted, mostOver(least, terms)))
}

/** Adds a markup and rounds up to the operator's step; a price below one step is rounded to the smallest unit of money instead. */
function markedUp(least: Micros, markupBps: number, terms: AgentPriceTerms): Micros {
  if (markupBps === 0) return least
  const step = BigInt(least < terms.step ? 1 : terms.step)
  const [exact, unit] = [BigInt(least) * (BPS + BigInt(markupBps)), BPS * step]
  return Number(((exact + unit - 1n) / unit) * step)
}
