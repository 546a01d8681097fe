import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import { sameQuantityTwice } from '../catalog/prices.ts'
import { parseInput } from '../errors.ts'
import {
  AgentPriceName,
  keyOf,
  NewAgentPrice,
  refuseAboveLimit,
  removePricesOf,
  storedPrice,
} from './agent-prices.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Maximum number of prices for one sub-user and product, or for all. */
const MAX_PRICES = 20

const NewPrices = z
  .array(NewAgentPrice)
  .max(MAX_PRICES)
  .refine((prices) => !sameQuantityTwice(prices), { error: 'quantity_comes_twice' })

/** A price as {@link setAgentPrice} takes it. */
export type PlannedPrice = Pick<z.input<typeof NewAgentPrice>, 'minQuantity' | 'markupPercent' | 'price'>
type Scope = Pick<z.input<typeof AgentPriceName>, 'userId' | 'productNo'>

/**
 * Returns prices as they are stored, by ascending quantity.
 *
 * @throws validation_error
 */
export function storedPrices(of: Scope, prices: readonly PlannedPrice[]) {
  return parseInput(
    NewPrices,
    prices.map((price) => ({ ...price, ...of })),
  )
    .map(({ minQuantity, ...price }) => ({ minQuantity, ...storedPrice(price) }))
    .toSorted((a, b) => a.minQuantity - b.minQuantity)
}

/**
 * Replaces all prices that an agent has set for one sub-user or for all, and for one product or for all: earlier markups and fixed
 * prices, from whichever quantity on, end in the same transaction (rules 13.1).
 *
 * @param of the sub-user and the product; all where none is named
 * @param prices empty: the wider ones hold then
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, product_not_found, validation_error
 */
export async function replaceAgentPrices(
  { db }: Essentials,
  actor: Actor,
  of: Scope,
  prices: readonly PlannedPrice[],
): Promise<void> {
  requireAgent(actor)
  const name = parseInput(AgentPriceName, of)
  const rows = storedPrices(of, prices)
  await db.write(async (tx) => {
    const { minQuantity: _, ...scope } = await keyOf(tx, actor, name)
    await refuseAboveLimit(tx, actor, scope, rows)
    await removePricesOf(tx, scope)
    if (rows.length > 0)
      await tx.$kysely
        .insertInto('agentPrices')
        .values(rows.map((row) => ({ ...scope, ...row })))
        .execute()
  })
}

/**
 * Refuses prices that {@link replaceAgentPrices} would refuse, and sets nothing.
 *
 * @throws as {@link replaceAgentPrices}
 */
export async function checkAgentPrices(
  { db }: Essentials,
  actor: Actor,
  of: Scope,
  prices: readonly PlannedPrice[],
): Promise<void> {
  requireAgent(actor)
  const name = parseInput(AgentPriceName, of)
  await refuseAboveLimit(db.read, actor, await keyOf(db.read, actor, name), storedPrices(of, prices))
}
