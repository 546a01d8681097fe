import { compiledForGiven } from '../database/compiled-for-given.ts'
import type { Placeholders } from '../database/compiled.ts'
import { listOf } from '../database/dialect.ts'
import type { Queries } from '../database/queries.ts'
import type { Page } from '../page.ts'
import { inPlace, isFree, type PlaceCodes, placeCodesOf } from './stock-conditions.ts'
import type { Essentials } from '../jobs/essentials.ts'

interface AddressFilter extends Pick<PlaceCodes, 'countryCode' | 'cityCode'> {
  readonly productNo: string
}

/**
 * Returns those of the given addresses that are free in a place of a product, so that an order may name them (rules 5.4).
 *
 * @param addresses in the spelling in which they are stored: that of `ipAddress`
 */
export async function freeAddresses(
  { db }: Essentials,
  { productNo, ...place }: AddressFilter,
  addresses: readonly string[],
): Promise<Set<string>> {
  const free = await findFree(db.read, { ...placeCodesOf(place), productNo, addresses })
  return new Set(free.map(({ ip }) => ip))
}

/**
 * Returns a page of the free addresses of a place of a product, from one network after the other as they are sold (rules 5.4, 5.15).
 *
 * @param page number of the page; the last page where there are fewer
 */
export async function listFreeAddresses(
  { db }: Essentials,
  { productNo, ...place }: AddressFilter,
  { page: wanted, pageSize }: Pick<Page<string>, 'page' | 'pageSize'>,
): Promise<Page<string>> {
  const filter = { ...placeCodesOf(place), productNo }
  const [counted] = await countAddresses(db.read, filter)
  const total = counted?.total ?? 0
  const page = Math.min(Math.max(wanted, 1), Math.max(Math.ceil(total / pageSize), 1))
  const rows = await findPage(db.read, { ...filter, limit: pageSize, offset: (page - 1) * pageSize })
  return { items: rows.map(({ ip }) => ip), total, page, pageSize }
}

const countAddresses = compiledForGiven<PlaceCodes & { productNo: string }>()((db, wanted) =>
  inStock(db, wanted).select(({ fn }) => fn.count<number>('s.ip').distinct().as('total')),
)

const findPage = compiledForGiven<PlaceCodes & { productNo: string; limit: number; offset: number }>()(
  (db, wanted) =>
    inStock(db, wanted)
      .select('s.ip')
      .groupBy('s.ip')
      .orderBy(({ fn }) => fn.min('s.position'))
      .orderBy('s.ip')
      .limit(wanted.limit)
      .offset(wanted.offset),
)

function inStock(
  db: Queries,
  { productNo, countryCode, cityCode }: Placeholders<PlaceCodes & { productNo: string }>,
) {
  return db
    .selectFrom('stockIps as s')
    .innerJoin('locations as l', 'l.id', 's.locationId')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .where('p.productNo', '=', productNo)
    .where(isFree)
    .where(inPlace({ countryCode, cityCode }))
}

interface WantedAddresses extends PlaceCodes {
  readonly productNo: string
  readonly addresses: readonly string[]
}

const findFree = compiledForGiven<WantedAddresses>()((db, wanted) =>
  inStock(db, wanted).select('s.ip').where('s.ip', 'in', listOf(wanted.addresses)),
)
