import type { Actor } from '../access/actor.ts'
import { type BuyerScopes, scopesOf, buyerPrices, priceRows } from './prices.ts'
import type { PriceTiers } from './tiers.ts'
import type { Project } from './product.ts'
import { agentPriceRows } from './prices-by-agent.ts'
import { inPlace, type PlaceCodes, placeCodesOf } from './stock-conditions.ts'
import { compiled, type Placeholders } from '../database/compiled.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import { parsed, rowsAsJson } from '../database/dialect.ts'
import type { Queries, Queryable } from '../database/queries.ts'
import { isOnOffer, type OfferFigures, offerMoment, type OfferMoment } from './offer-conditions.ts'

/** A range of addresses of an offer. */
export interface OfferedRange {
  readonly cidr: string
  readonly stock: number
}

/** The offer that a product sells in one place, with the prices of a buyer. */
export interface PlaceOffer extends OfferFigures {
  readonly locationId: number
  readonly offerId: number
  readonly offerNo: string
  readonly connectionId: number
  /** Whether the operator has paused the connection. */
  readonly connectionPaused: boolean
  readonly proxyType: number
  readonly countryCode: string
  readonly cityCode: string
  readonly periodUnit: 1 | 3
  readonly periodLength: number
  readonly projects: readonly Project[]
  readonly ranges: readonly OfferedRange[]
  /** Opaque values that the supplier's driver gets back with an order. */
  readonly data: Readonly<Record<string, string>>
  readonly tiers: PriceTiers
  /** What the shop gets of `tiers`; it has to cover the cost. */
  readonly shopTiers: PriceTiers
}

/** Returns the offers of a product in the places that an order matches; those that are not sold now have a stock of 0. */
export function offersOfProduct(
  db: Queryable,
  now: Date,
  buyer: Actor,
  { productId, ...place }: PlaceCodes & { readonly productId: number },
): Promise<PlaceOffer[]> {
  return read(db, buyer, { ...offerMoment(now), ...placeCodesOf(place), productId })
}

/**
 * Returns the offer of the place in which an order was bought, as it is now.
 *
 * @returns undefined for an order that was not bought from a supplier's offer, null when its place has none any more
 */
export async function offerOfOrder(
  db: Queryable,
  now: Date,
  buyer: Actor,
  orderId: number,
): Promise<PlaceOffer | null | undefined> {
  const [place] = await findPlace(db, { orderId })
  if (!place) return undefined
  const { productId, locationId } = place
  const [offer] = await read(db, buyer, { ...offerMoment(now), productId, locationId })
  return offer ?? null
}

const findPlace = compiled<{ orderId: number }>()((db, { orderId }) =>
  db
    .selectFrom('staticOrders')
    .select(['productId', 'locationId'])
    .where('id', '=', orderId)
    .where('locationId', 'is not', null)
    .$narrowType<{ locationId: number }>(),
)

/** Returns the projects of all given offers, each once. */
export function projectsOf(offers: readonly Pick<PlaceOffer, 'projects'>[]): Project[] {
  const byCode = new Map(offers.flatMap(({ projects }) => projects).map((project) => [project.code, project]))
  return [...byCode.values()]
}

interface Wanted extends PlaceCodes, BuyerScopes, OfferMoment {
  readonly productId: number
  readonly locationId?: number
}

const findOffers = compiledForGiven<Wanted>()(selectOffers)

function selectOffers(
  db: Queries,
  {
    user,
    agent,
    level,
    userId,
    agentId,
    now,
    freshSince,
    productId,
    locationId,
    countryCode,
    cityCode,
    regionCode,
  }: Placeholders<Wanted>,
) {
  return db
    .selectFrom('locations as l')
    .innerJoin('supplierOffers as f', 'f.id', 'l.offerId')
    .innerJoin('supplierConnections as c', 'c.id', 'f.connectionId')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .select(['l.id as locationId', 'l.price as placePrice', 'l.countryCode', 'l.cityCode'])
    .select(['f.id as offerId', 'f.offerNo', 'f.connectionId', 'f.proxyType', 'f.periodUnit'])
    .select(['f.periodLength', 'f.cost', 'f.maxCount', 'c.status', 'c.balance', 'p.minMarginBps'])
    .select((f) => [
      f.case().when(isOnOffer({ now, freshSince })(f)).then(f.ref('f.stock')).else(0).end().as('stock'),
      parsed<Project[]>(f.ref('f.projects')).as('projects'),
      parsed<OfferedRange[]>(f.ref('f.ranges')).as('ranges'),
      parsed<Record<string, string>>(f.ref('f.data')).as('data'),
      rowsAsJson(priceRows({ user, agent, level }, f.ref('l.productId')), 'minQuantity').as('prices'),
      rowsAsJson(agentPriceRows({ userId, agentId }, f.ref('l.productId')), 'minQuantity').as('agentPrices'),
    ])
    .where(inPlace({ countryCode, cityCode, regionCode }))
    .where('l.productId', '=', productId)
    .where(({ and, eb }) => and(locationId ? [eb('l.id', '=', locationId)] : []))
    .orderBy('l.id')
    .$narrowType<{ periodUnit: 1 | 3 }>()
}

async function read(
  db: Queryable,
  buyer: Actor,
  wanted: Omit<Wanted, keyof BuyerScopes>,
): Promise<PlaceOffer[]> {
  const scopes = scopesOf(buyer)
  const rows = await findOffers(db, { ...scopes, ...wanted })
  return rows.map(({ placePrice, prices, agentPrices, status, ...offer }) => ({
    ...offer,
    connectionPaused: status === 'paused',
    ...buyerPrices(scopes, prices, agentPrices, placePrice),
  }))
}
