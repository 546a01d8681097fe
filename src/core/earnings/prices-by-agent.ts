import { type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { priceAt, type PriceTiers, type SoldTiers, startsOf } from '../catalog/tiers.ts'
import type { ValueOf } from '../database/dialect.ts'
import type { Micros } from '../money.ts'

const BPS = 10_000n

/** A price that an agent has set: a markup on its own price, or a fixed one. */
export interface AgentPriceRow {
  readonly userId: number | null
  readonly productId: number | null
  readonly minQuantity: number
  /** In 1/100 percent. */
  readonly markupBps: number | null
  readonly price: Micros | null
}

/** Query of the prices that the agent of a buyer has set for it and a product. */
export function agentPriceRows(
  { userId, agentId }: { readonly userId: ValueOf<number>; readonly agentId: ValueOf<number> },
  product: Expression<number>,
) {
  return expressionBuilder<DB>()
    .selectFrom('agentPrices as a')
    .select(['a.userId', 'a.productId', 'a.minQuantity', 'a.markupBps', 'a.price'])
    .where('a.agentId', '=', agentId)
    .where(({ eb, or }) => or([eb('a.userId', 'is', null), eb('a.userId', '=', userId)]))
    .where(({ eb, or }) => or([eb('a.productId', 'is', null), eb('a.productId', '=', product)]))
}

/**
 * What a sub-user pays by the prices of its agent (rules 13.1): the narrowest of them that the quantity reaches, never less than the
 * agent itself would pay. Without one, or where the agent has no price, the sub-user pays what it would pay without an agent's price.
 *
 * @param own what the sub-user would pay without an agent's price
 * @param agents what the agent would pay
 * @param prices for this sub-user and product, by ascending quantity
 */
export function pricesByAgent(
  own: PriceTiers,
  agents: PriceTiers,
  prices: readonly AgentPriceRow[],
): SoldTiers {
  const scopes = [0, 1, 2, 3].map((width) => prices.filter((price) => widthOf(price) === width))
  const reached = (quantity: number) =>
    scopes
      .map((scope) => scope.findLast(({ minQuantity }) => minQuantity <= quantity))
      .find((price) => price !== undefined)
  const starts = startsOf([own, agents, prices.map(({ minQuantity }) => [minQuantity, 0] as const)])
  const sold = starts.flatMap((quantity) => {
    const [price, least] = [reached(quantity), priceAt(agents, quantity)]
    if (price && least !== undefined)
      return [{ quantity, pays: Math.max(least, priceBy(price, least)), least }]
    const pays = priceAt(own, quantity)
    return pays === undefined ? [] : [{ quantity, pays, least: pays }]
  })
  return {
    // Where only the agent's price changes, the sub-user sees nothing.
    tiers: sold.flatMap(({ quantity, pays }, index) =>
      pays === sold[index - 1]?.pays ? [] : [[quantity, pays] as const],
    ),
    shopTiers: sold.map(({ quantity, least }) => [quantity, least]),
  }
}

/** 0 for a price of one sub-user and product, 3 for one of all sub-users and products. */
function widthOf({ userId, productId }: AgentPriceRow): number {
  return (userId === null ? 2 : 0) + (productId === null ? 1 : 0)
}

/** Rounded up to the smallest unit of money. */
function priceBy({ price, markupBps }: AgentPriceRow, least: Micros): Micros {
  return price ?? Number((BigInt(least) * (BPS + BigInt(markupBps ?? 0)) + BPS - 1n) / BPS)
}
