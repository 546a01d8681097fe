import { compiledForGiven } from '../database/compiled-for-given.ts'
import { listOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { inPlace, isFree, type PlaceCodes, placeOf } from './stock-conditions.ts'

interface AddressFilter extends Pick<PlaceCodes, 'countryCode' | 'cityCode'> {
  readonly productNo: string
}

/**
 * Returns those of the given addresses that are free in a place of a product, so that an order may name them (rules 5.4).
 *
 * @param addresses in the spelling in which they are stored: that of `ipAddress`
 */
export async function freeAddresses(
  { db }: CoreDeps,
  { productNo, ...place }: AddressFilter,
  addresses: readonly string[],
): Promise<Set<string>> {
  const free = await findFree(db.read, { ...placeOf(place), productNo, addresses })
  return new Set(free.map(({ ip }) => ip))
}

interface WantedAddresses extends PlaceCodes {
  readonly productNo: string
  readonly addresses: readonly string[]
}

const findFree = compiledForGiven<WantedAddresses>()((db, { productNo, addresses, countryCode, cityCode }) =>
  db
    .selectFrom('stockIps as s')
    .innerJoin('locations as l', 'l.id', 's.locationId')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .select('s.ip')
    .where('s.ip', 'in', listOf(addresses))
    .where('p.productNo', '=', productNo)
    .where(isFree)
    .where(inPlace({ countryCode, cityCode })),
)
