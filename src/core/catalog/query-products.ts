import { type Actor, targetUser } from '../access.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import { listOf, parsed, rowsAsJson } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import type { Micros } from '../money.ts'
import { type BuyerScopes, isTierOf, scopesOf, validPrice } from './prices.ts'
import type { Project } from './product.ts'
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
  /** Free proxies there. */
  readonly stock: number
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
  { db }: CoreDeps,
  actor: Actor,
  filter: ProductFilter = {},
): Promise<CatalogItem[]> {
  const { userId, ...wanted } = filter
  const buyer = await targetUser(db.read, actor, userId ?? actor.id)
  return findItems(db.read, { ...scopesOf(buyer), ...wanted })
}

type WantedItems = BuyerScopes & Omit<ProductFilter, 'userId'>

const findItems = compiledForGiven<WantedItems>()((
  db,
  { user, level, proxyTypes, productNo, countryCode, cityCode },
) => {
  const buyer = { user, level }
  return db
    .selectFrom('products as p')
    .leftJoin('locations as l', 'l.productId', 'p.id')
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
    .select(['l.id as locationId', 'l.countryCode', 'l.state', 'l.cityCode'])
    .select(({ ref, selectFrom, fn }) => [
      selectFrom('stockIps as s')
        .select(fn.countAll<number>().as('count'))
        .whereRef('s.locationId', '=', 'l.id')
        .where(isFree)
        .$asScalar()
        .$notNull()
        .as('stock'),
      validPrice(buyer, 'price', ref('p.id'), 1).$asScalar().$notNull().as('price'),
      rowsAsJson(
        selectFrom('prices as t')
          .select(['t.minQuantity', 't.price'])
          .where(isTierOf(buyer, ref('p.id'))),
        'minQuantity',
      ).as('tiers'),
    ])
    .where('p.enabled', '=', true)
    .where(({ eb, or }) => or([eb('l.id', 'is not', null), eb('p.pool', 'is not', null)]))
    .where(({ eb, ref }) => eb(validPrice(buyer, 'price', ref('p.id'), 1), 'is not', null))
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
