import { type Actor, directSubUser, requireAgent } from '../access.ts'
import { type CatalogItem, productsFor } from '../catalog/query-products.ts'
import type { PriceTiers } from '../catalog/tiers.ts'
import type { CoreDeps } from '../deps.ts'
import { pricesByAgent } from './prices-by-agent.ts'
import { type PlannedPrice, storedPrices } from './replace-agent-prices.ts'

/** A sub-user without prices of its own. */
const NOBODY = 0

/** What an agent pays for a product, and what its sub-users pay. */
export interface SubUserPrice extends Pick<
  CatalogItem,
  'productId' | 'productNo' | 'nameEn' | 'nameZh' | 'onSale' | 'pool' | 'periodUnit' | 'periodLength'
> {
  readonly own: PriceTiers
  readonly sold: PriceTiers
}

/**
 * What an agent pays for each product on sale, and for those that its sub-users may still renew, and what its sub-users pay (rules
 * 3.5, 13.1): where it is cheapest for the agent, if places have prices of their own.
 *
 * @param userId one sub-user; without it, those for whom the agent has set nothing of their own
 * @throws agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function subUserPrices(deps: CoreDeps, actor: Actor, userId?: number): Promise<SubUserPrice[]> {
  requireAgent(actor)
  if (userId !== undefined) await directSubUser(deps.db.read, actor, userId)
  const { id: agentId, level } = actor
  const more = { renewedOfAgent: agentId }
  const theirItems = await productsFor(deps, { id: userId ?? NOBODY, agentId, level }, more)
  const sold = new Map(theirItems.map((item) => [placeOf(item), item]))
  const found = new Map<string, SubUserPrice>()
  for (const item of await productsFor(deps, actor, more)) {
    const theirs = sold.get(placeOf(item))
    const { productNo, price } = item
    const cheapest = found.get(productNo)?.own[0]?.[1]
    if (!theirs || (cheapest !== undefined && cheapest <= price)) continue
    found.set(productNo, { ...item, own: tiersOf(item), sold: tiersOf(theirs) })
  }
  return [...found.values()]
}

const placeOf = ({ productNo, locationId }: CatalogItem) => `${productNo} ${locationId}`

function tiersOf({ tiers }: CatalogItem): PriceTiers {
  return tiers.map(({ minQuantity, price }) => [minQuantity, price])
}

/**
 * What sub-users would pay by prices that are not set yet, from the first of their quantities on.
 *
 * @throws validation_error
 */
export function plannedPrices(
  { productNo, own }: Pick<SubUserPrice, 'productNo' | 'own'>,
  planned: readonly PlannedPrice[],
): PriceTiers {
  const rows = storedPrices({ productNo }, planned).map((row) => ({ userId: null, productId: null, ...row }))
  return pricesByAgent([], own, rows).tiers
}
