import { nextOf, type NextTier, priceAt, type PriceTiers, upTo } from '../catalog/tiers.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { isSold, lowestPrice, mostOf } from '../catalog/offer-conditions.ts'
import { type PlaceOffer, projectsOf } from '../catalog/place-offers.ts'

/** What an order requires of the offers of its product. */
export interface WantedOffer {
  readonly count: number
  readonly periods: number
  readonly projectId: string | null
  /** Number of proxies from each range, in sum `count`; empty: from any. */
  readonly blocks: readonly { readonly cidr: string; readonly count: number }[]
}

/** The offer from which an order is bought. */
export interface ChosenOffer {
  readonly offer: PlaceOffer
  readonly unitPrice: Micros
  /** What the shop gets of `unitPrice`. */
  readonly shopPrice: Micros
  /** The buyer's price tiers up to the ordered quantity. */
  readonly tiers: PriceTiers
  readonly nextTier: NextTier | null
}

/**
 * Chooses the one offer from which an order is bought: the cheapest for the buyer, then for its agent, then for the shop (rules 3.12).
 *
 * @param offers those in the places that the order matches
 * @throws project_not_allowed, invalid_cidr_blocks, out_of_stock with the largest number that one offer has
 */
export function chooseOffer(offers: readonly PlaceOffer[], wanted: WantedOffer): ChosenOffer {
  const fitting = withRanges(withProject(offers, wanted), wanted)
  const { count, periods } = wanted
  const sold = fitting.flatMap((offer) => {
    const [unitPrice, shopPrice] = [priceAt(offer.tiers, count), priceAt(offer.shopTiers, count)]
    if (unitPrice === undefined || shopPrice === undefined) return []
    return isSold(offer, offer.shopTiers, count, periods) ? [{ offer, unitPrice, shopPrice }] : []
  })
  const [best] = sold.toSorted(
    (a, b) =>
      a.unitPrice - b.unitPrice ||
      a.shopPrice - b.shopPrice ||
      a.offer.cost - b.offer.cost ||
      a.offer.locationId - b.offer.locationId,
  )
  if (!best) throw outOfStock(count, fitting, periods)
  const { offer, unitPrice } = best
  return { ...best, tiers: upTo(offer.tiers, count), nextTier: nextOf(soldTiers(offer), unitPrice, count) }
}

/** Returns the price tiers that an order from this offer can reach. */
function soldTiers(offer: PlaceOffer): PriceTiers {
  const most = mostOf(offer, offer.shopTiers)
  return coveredTiers(offer).filter(([minQuantity]) => minQuantity <= most)
}

/** Returns the tiers at which the shop's price covers the cost and the minimum margin. */
export function coveredTiers(offer: PlaceOffer): PriceTiers {
  return offer.tiers.filter(([from]) => (priceAt(offer.shopTiers, from) ?? 0) >= lowestPrice(offer))
}

function outOfStock(requested: number, offers: readonly PlaceOffer[], periods: number): ServiceError {
  const available = Math.max(0, ...offers.map((offer) => mostOf(offer, offer.shopTiers, periods)))
  return new ServiceError('out_of_stock', { data: { requested, available } })
}

function withProject(offers: readonly PlaceOffer[], { projectId }: WantedOffer): readonly PlaceOffer[] {
  if (projectId === null) return offers
  const having = offers.filter(
    ({ projects }) => projects.length === 0 || projects.some(({ code }) => code === projectId),
  )
  if (having.length > 0 || offers.length === 0) return having
  throw new ServiceError('project_not_allowed', {
    data: { project_id: projectId, projects: projectsOf(offers) },
  })
}

function withRanges(offers: readonly PlaceOffer[], { count, blocks }: WantedOffer): readonly PlaceOffer[] {
  const stockOf = (offer: PlaceOffer, cidr: string) =>
    offer.stock === 0 ? 0 : (offer.ranges.find((range) => range.cidr === cidr)?.stock ?? 0)
  for (const { cidr } of blocks) {
    const known = offers.some(({ ranges }) => ranges.some((range) => range.cidr === cidr))
    if (!known) throw new ServiceError('invalid_cidr_blocks', { data: { cidr } })
  }
  for (const block of blocks) {
    const available = Math.max(0, ...offers.map((offer) => stockOf(offer, block.cidr)))
    if (available < block.count)
      throw new ServiceError('out_of_stock', {
        data: { cidr: block.cidr, requested: block.count, available },
      })
  }
  const enough = offers.filter((offer) => blocks.every((block) => stockOf(offer, block.cidr) >= block.count))
  if (enough.length > 0 || offers.length === 0) return enough
  // Each range has enough, but in different offers, and an order comes from one.
  const inOne = offers.map((offer) =>
    blocks.reduce((sum, block) => sum + Math.min(block.count, stockOf(offer, block.cidr)), 0),
  )
  throw new ServiceError('out_of_stock', { data: { requested: count, available: Math.max(...inOne) } })
}
