import { type Actor, directSubUser, requireAgent } from '../access/actor.ts'
import { type PricedItem, pricedItems } from '../catalog/query-products.ts'
import type { PriceTiers } from '../catalog/tiers.ts'
import type { AgentPriceTerms } from '../catalog/price-limits.ts'
import { NOBODY } from './agent-prices.ts'
import { pricesByAgent } from '../catalog/prices-by-agent.ts'
import { type PlannedPrice, storedPrices } from './replace-agent-prices.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What the shop gets for a product, and what sub-users of an agent pay. */
export interface SubUserPrice extends Pick<
  PricedItem,
  'productId' | 'productNo' | 'names' | 'onSale' | 'pool' | 'periodUnit' | 'periodLength'
> {
  /** The shop's price, which the agent's price adds to: what the agent itself pays, or the operator's price for this sub-user alone. */
  readonly own: PriceTiers
  /** Whether `own` is the operator's price for this sub-user alone. */
  readonly isOfUser: boolean
  readonly sold: PriceTiers
}

/**
 * Lists what the shop gets, and what an agent's sub-users pay, for each product that is on sale or that they may still renew (rules
 * 3.5, 13.1). If places have prices of their own, those of the place that is cheapest for the agent.
 *
 * @param userId one sub-user; without it, those for whom nobody has set a price of their own
 * @throws agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function subUserPrices(
  deps: Essentials,
  actor: Actor,
  userId?: number,
): Promise<SubUserPrice[]> {
  requireAgent(actor)
  if (userId !== undefined) await directSubUser(deps.db.read, actor, userId)
  const { id: agentId, level } = actor
  const items = await pricedItems(deps, { id: userId ?? NOBODY, agentId, level }, { renewedOfAgent: agentId })
  const found = new Map<string, SubUserPrice>()
  for (const item of items) {
    const { productNo, agentsTiers: own, ofBuyer: isOfUser } = item
    const [cheapest, price] = [found.get(productNo)?.own[0]?.[1], own[0]?.[1]]
    if (price === undefined || (cheapest !== undefined && cheapest <= price)) continue
    const sold = item.tiers.map(({ minQuantity, price: each }) => [minQuantity, each] as const)
    found.set(productNo, { ...item, own, isOfUser, sold })
  }
  return [...found.values()]
}

/**
 * Returns what sub-users would pay by prices that are not set yet, from the first of their quantities on.
 *
 * @throws validation_error
 */
export function plannedPrices(
  { productNo, own }: Pick<SubUserPrice, 'productNo' | 'own'>,
  planned: readonly PlannedPrice[],
  terms: AgentPriceTerms,
): PriceTiers {
  const scope = { userId: null, productId: null, terms: JSON.stringify(terms) }
  const rows = storedPrices({ productNo }, planned).map((row) => ({ ...scope, ...row }))
  return pricesByAgent([], own, rows).tiers
}
