import { compiledByShape } from '../database/compiled.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import { isFalse, listOf, parsed } from '../database/dialect.ts'
import { isOnOffer, offerMoment, type OfferMoment } from './offer-conditions.ts'
import type { OfferedRange } from './place-offers.ts'
import type { Queryable } from '../database/queries.ts'
import type { ProductFilter } from './query-products.ts'
import type { Project } from './product.ts'
import { inPlace, ipRange, isFree, type PlaceCodes, placeCodesOf } from './stock-conditions.ts'
import type { Essentials } from '../jobs/essentials.ts'

interface IpRangeFilter extends ProductFilter {
  /** Country, state or city code. */
  readonly areaCode?: string
  readonly includeDisabled?: boolean
}

export interface IpRangeItem {
  readonly productNo: string
  readonly proxyType: number
  readonly productType: number
  readonly projects: Project[]
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
  /** Ranges, each with its number of free proxies, disabled ones not counted; a proxy without a range in the stock is a /32 or /128. */
  readonly ipRanges: { ipRange: string; stock: number }[]
}

/** Lists the ranges that have free proxies, by product and place (rules 3.8). */
export async function listIpRanges(
  { db, clock }: Essentials,
  { includeDisabled = false, areaCode, proxyTypes, productNo, ...place }: IpRangeFilter = {},
): Promise<IpRangeItem[]> {
  const wanted = { ...placeCodesOf({ ...place, regionCode: areaCode }), proxyTypes, productNo }
  const items = new Map<number, IpRangeItem & { readonly productId: number }>()
  for (const { locationId, ipRange, stock, ...product } of await findRanges(
    db.read,
    { includeDisabled },
    wanted,
  )) {
    const item = items.get(locationId) ?? { ...product, ipRanges: [] }
    items.set(locationId, item)
    item.ipRanges.push({ ipRange, stock })
  }
  const offered = await offeredRanges(db.read, clock.now(), { ...wanted, includeDisabled })
  return [...items.values(), ...offered]
    .toSorted(
      (a, b) =>
        a.productId - b.productId || compare(a.countryCode, b.countryCode) || compare(a.cityCode, b.cityCode),
    )
    .map(({ productId: _id, ...item }) => item)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the ranges of suppliers' offers; those of offers that are not on sale only with `includeDisabled`, and without stock. */
async function offeredRanges(
  db: Queryable,
  now: Date,
  { includeDisabled, ...wanted }: WantedRanges & { readonly includeDisabled: boolean },
) {
  const rows = await findOffered(db, { ...wanted, ...offerMoment(now) })
  return rows.flatMap(({ stock, ranges, ...item }) => {
    const ipRanges = ranges
      .map((range) => ({ ipRange: range.cidr, stock: Math.min(range.stock, stock) }))
      .filter((range) => includeDisabled || range.stock > 0)
    return ipRanges.length > 0 ? [{ ...item, ipRanges }] : []
  })
}

interface WantedRanges extends PlaceCodes {
  readonly proxyTypes?: readonly number[] | undefined
  readonly productNo?: string | undefined
}

const findRanges = compiledByShape<{ includeDisabled: boolean }, WantedRanges>()(
  (db, { includeDisabled }, { proxyTypes, productNo, countryCode, cityCode, regionCode }) =>
    db
      .selectFrom('stockIps as s')
      .innerJoin('locations as l', 'l.id', 's.locationId')
      .innerJoin('products as p', 'p.id', 'l.productId')
      .select(['p.id as productId', 'p.productNo', 'p.proxyType', 'p.productType'])
      .select(({ ref }) => parsed<Project[]>(ref('p.projects')).as('projects'))
      .select(['l.id as locationId', 'l.countryCode', 'l.state', 'l.cityCode'])
      .select((s) => ipRange(s).as('ipRange'))
      .select(({ fn }) => fn.countAll<number>().filterWhere('s.disabled', '=', false).as('stock'))
      .where('p.enabled', '=', true)
      .where((s) =>
        includeDisabled ? s.and([s('s.orderId', 'is', null), isFalse(s.ref('s.resting'))]) : isFree(s),
      )
      .where(inPlace({ countryCode, cityCode, regionCode }))
      .where(({ eb, and }) =>
        and([
          ...(proxyTypes ? [eb('p.proxyType', 'in', listOf(proxyTypes))] : []),
          ...(productNo ? [eb('p.productNo', '=', productNo)] : []),
        ]),
      )
      .groupBy(['p.id', 'l.id', 'ipRange'])
      .orderBy('p.id')
      .orderBy('l.countryCode')
      .orderBy('l.cityCode')
      .orderBy('l.id')
      .orderBy('ipRange'),
)

const findOffered = compiledForGiven<WantedRanges & OfferMoment>()(
  (db, { proxyTypes, productNo, countryCode, cityCode, regionCode, now, freshSince }) =>
    db
      .selectFrom('supplierOffers as f')
      .innerJoin('supplierConnections as c', 'c.id', 'f.connectionId')
      .innerJoin('locations as l', 'l.offerId', 'f.id')
      .innerJoin('products as p', 'p.id', 'l.productId')
      .select(['p.id as productId', 'p.productNo', 'p.proxyType', 'p.productType'])
      .select(['l.countryCode', 'l.state', 'l.cityCode'])
      .select((f) => [
        f.case().when(isOnOffer({ now, freshSince })(f)).then(f.ref('f.stock')).else(0).end().as('stock'),
        parsed<Project[]>(f.ref('f.projects')).as('projects'),
        parsed<OfferedRange[]>(f.ref('f.ranges')).as('ranges'),
      ])
      .where('p.enabled', '=', true)
      .where(inPlace({ countryCode, cityCode, regionCode }))
      .where(({ eb, and }) =>
        and([
          ...(proxyTypes ? [eb('p.proxyType', 'in', listOf(proxyTypes))] : []),
          ...(productNo ? [eb('p.productNo', '=', productNo)] : []),
        ]),
      )
      .orderBy('l.id'),
)
