import { type Actor, targetUser } from '../access.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import { listOf, parsed, rowsAsJson } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import type { Micros } from '../money.ts'
import { affordable, isOnOffer, mostOf, offerMoment, type OfferMoment } from '../supply/offer-conditions.ts'
import { type BuyerScopes, isTierOf, priceAt, scopesOf, tiersInPlace, tiersOf, validPrice } from './prices.ts'
import { OWN_STOCK, type Project } from './product.ts'
import { isFree } from './stock-conditions.ts'

export interface ProductFilter {
  readonly proxyTypes?: readonly number[]
  readonly productNo?: string
  /** ISO 3166-1 alpha-2. */
  readonly countryCode?: string
  readonly cityCode?: string
  /** Whose prices: those of the actor, which is the default, or of a direct sub-user. */
  readonly userId?: number
}

/** A static product in one place, or a dynamic product. */
export interface CatalogItem {
  readonly productId: number
  readonly productNo: string
  readonly nameEn: string
  readonly nameZh: string
  readonly descriptionEn: string
  readonly descriptionZh: string
  /** Where exits of a dynamic product are; empty: everywhere. */
  readonly countries: readonly string[]
  readonly cities: readonly string[]
  readonly proxyType: number
  readonly productType: number
  readonly projects: Project[]
  readonly pool: string | null
  /** Billing period; 0 for a dynamic product. */
  readonly periodUnit: number
  readonly periodLength: number
  readonly refundHours: number
  readonly cidrSupported: boolean
  readonly assignIpSupported: boolean
  /** Null for a dynamic product. */
  readonly locationId: number | null
  readonly countryCode: string | null
  readonly state: string | null
  readonly cityCode: string | null
  /** Free proxies there; 0 for a supplier's offer that is not sold now. */
  readonly stock: number
  /** Of a supplier's offer, from which an order is bought alone: the most proxies of one order. Null for the own stock. */
  readonly maxCount: number | null
  /** What the buyer pays for one unit. */
  readonly price: Micros
  /** What the buyer pays from which quantity on. */
  readonly tiers: { minQuantity: number; price: Micros }[]
}

/**
 * What can be bought, with stock and the buyer's prices (rules 3.3).
 *
 * @throws what targeting a sub-user refuses
 */
export async function queryProducts(
  { db, clock }: CoreDeps,
  actor: Actor,
  filter: ProductFilter = {},
): Promise<CatalogItem[]> {
  const { userId, ...wanted } = filter
  const buyer = await targetUser(db.read, actor, userId ?? actor.id)
  const rows = await findItems(db.read, { ...scopesOf(buyer), ...offerMoment(clock.now()), ...wanted })
  return rows
    .filter(isKept)
    .map(
      ({
        cost,
        balance,
        offered,
        offerLimit,
        offeredProjects,
        minMarginBps,
        supplier: _supplier,
        ...row
      }) => {
        const { placePrice, ...item } = row
        const tiers = tiersInPlace(tiersOf(item.tiers), placePrice)
        const priced = {
          ...item,
          price: priceAt(tiers, 1) ?? 0,
          tiers: tiers.map(([minQuantity, price]) => ({ minQuantity, price })),
        }
        if (cost === null || offerLimit === null) return { ...priced, maxCount: null }
        const offer = { cost, balance, stock: offered ?? 0, maxCount: offerLimit, minMarginBps }
        const maxCount = mostOf(offer, tiers)
        const stock = maxCount === 0 ? 0 : Math.min(offer.stock, affordable(offer))
        return { ...priced, projects: offeredProjects ?? [], stock, maxCount }
      },
    )
}

/** A place of a supplied product without an offer is kept for the orders that name it only. */
function isKept({ cost, supplier, stock }: Awaited<ReturnType<typeof findItems>>[number]): boolean {
  return cost !== null || supplier === OWN_STOCK || stock > 0
}

type WantedItems = BuyerScopes & OfferMoment & Omit<ProductFilter, 'userId'>

const findItems = compiledForGiven<WantedItems>()((
  db,
  { user, level, now, freshSince, proxyTypes, productNo, countryCode, cityCode },
) => {
  const buyer = { user, level }
  return db
    .selectFrom('products as p')
    .leftJoin('locations as l', 'l.productId', 'p.id')
    .leftJoin('supplierOffers as f', 'f.id', 'l.offerId')
    .leftJoin('supplierConnections as c', 'c.id', 'f.connectionId')
    .select([
      'p.id as productId',
      'p.productNo',
      'p.nameEn',
      'p.nameZh',
      'p.descriptionEn',
      'p.descriptionZh',
    ])
    .select(({ ref }) => [
      parsed<string[]>(ref('p.countries')).as('countries'),
      parsed<string[]>(ref('p.cities')).as('cities'),
      parsed<Project[]>(ref('p.projects')).as('projects'),
    ])
    .select(['p.proxyType', 'p.productType', 'p.pool', 'p.periodUnit', 'p.periodLength', 'p.refundHours'])
    .select(['p.cidrSupported', 'p.assignIpSupported'])
    .select(['l.id as locationId', 'l.countryCode', 'l.state', 'l.cityCode', 'l.price as placePrice'])
    .select(['f.cost', 'f.maxCount as offerLimit', 'c.balance', 'p.supplier', 'p.minMarginBps'])
    .select((f) => [
      f.case().when(isOnOffer({ now, freshSince })(f)).then(f.ref('f.stock')).else(0).end().as('offered'),
      parsed<Project[]>(f.ref('f.projects')).as('offeredProjects'),
    ])
    .select(({ ref, selectFrom, fn }) => [
      selectFrom('stockIps as s')
        .select(fn.countAll<number>().as('count'))
        .whereRef('s.locationId', '=', 'l.id')
        .where(isFree)
        .$asScalar()
        .$notNull()
        .as('stock'),
      rowsAsJson(
        selectFrom('prices as t')
          .select(['t.minQuantity', 't.price'])
          .where(isTierOf(buyer, ref('p.id'), ref('l.price'))),
        'minQuantity',
      ).as('tiers'),
    ])
    .where('p.enabled', '=', true)
    .where(({ eb, or }) => or([eb('l.id', 'is not', null), eb('p.pool', 'is not', null)]))
    .where(({ eb, or, ref }) =>
      or([eb(validPrice(buyer, 'price', ref('p.id'), 1), 'is not', null), eb('l.price', 'is not', null)]),
    )
    .where(({ eb, and }) =>
      and([
        ...(proxyTypes ? [eb('p.proxyType', 'in', listOf(proxyTypes))] : []),
        ...(productNo ? [eb('p.productNo', '=', productNo)] : []),
        ...(countryCode ? [eb('l.countryCode', '=', countryCode)] : []),
        ...(cityCode ? [eb('l.cityCode', '=', cityCode)] : []),
      ]),
    )
    .orderBy('p.shelf')
    .orderBy('p.id')
    .orderBy('l.countryCode')
    .orderBy('l.cityCode')
})
