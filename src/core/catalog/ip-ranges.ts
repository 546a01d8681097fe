import { compiledByShape } from '../database/compiled.ts'
import { isFalse, listOf, parsed } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import type { ProductFilter } from './query-products.ts'
import type { Project } from './product.ts'
import { inPlace, ipRange, isFree, type PlaceCodes, placeOf } from './stock-conditions.ts'

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
  /** Each with its number of free proxies, disabled ones not counted; a proxy without a range in the stock is a /32 or /128. */
  readonly ipRanges: { ipRange: string; stock: number }[]
}

/** Lists the ranges that have free proxies, by product and place (rules 3.8). */
export async function listIpRanges(
  { db }: CoreDeps,
  { includeDisabled = false, areaCode, proxyTypes, productNo, ...place }: IpRangeFilter = {},
): Promise<IpRangeItem[]> {
  const wanted = { ...placeOf({ ...place, regionCode: areaCode }), proxyTypes, productNo }
  const items = new Map<number, IpRangeItem>()
  for (const { locationId, ipRange, stock, ...product } of await findRanges(
    db.read,
    { includeDisabled },
    wanted,
  )) {
    const item = items.get(locationId) ?? { ...product, ipRanges: [] }
    items.set(locationId, item)
    item.ipRanges.push({ ipRange, stock })
  }
  return [...items.values()]
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
      .select(['p.productNo', 'p.proxyType', 'p.productType'])
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
