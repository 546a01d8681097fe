import type { ExpressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Placeholders } from '../database/compiled.ts'
import { compiledForGiven } from '../database/compiled-for-given.ts'
import { listFrom, listOf, withIds } from '../database/dialect.ts'
import type { Queries } from '../database/queries.ts'
import { inPlace, ipRange, isFree, type PlaceCodes } from './stock-conditions.ts'

/** Addresses that an order names. */
export interface Named extends PlaceCodes {
  readonly productId: number
  readonly ips: readonly string[]
  readonly count: number
}

/** Any free proxies, or those of a range. */
export interface Spread extends PlaceCodes {
  readonly productId: number
  readonly cidr?: string
  readonly count: number
}

/** Finds free proxies on addresses that an order names. */
export const findNamed = compiledForGiven<Named>()(namedIds)
/** Reserves for an order what {@link findNamed} finds. */
export const takeNamed = compiledForGiven<Named & { orderId: number }>()((db, named) =>
  db
    .updateTable('stockIps')
    .set({ orderId: named.orderId })
    .where('id', 'in', listFrom<number>(namedIds(db, named)))
    .returning('id'),
)

/** Query for free proxies on addresses that an order names: one for each address, although a shared address has several seats. */
function namedIds(
  db: Queries,
  { productId, ips, count, countryCode, cityCode, regionCode }: Placeholders<Named>,
) {
  return db
    .selectFrom('locations as l')
    .innerJoin('stockIps as s', 's.locationId', 'l.id')
    .select(({ fn }) => fn.min('s.id').as('id'))
    .where('l.productId', '=', productId)
    .where(inPlace({ countryCode, cityCode, regionCode }))
    .where(isFree)
    .where('s.ip', 'in', listOf(ips))
    .groupBy('s.ip')
    .limit(count)
}

/** A search for free proxies that begins at another place each time. */
interface RotatedSpread extends Spread {
  /** Rotates the places: which one is first, so that orders of a single proxy also come from different places. */
  readonly turn: number
  /** Ids to leave out, although the stock still shows them as free. */
  readonly taken?: readonly number[]
}

/** Finds free proxies, the same share from each place. */
export const findSpread = compiledForGiven<RotatedSpread>()(spreadIds)
/** Reserves for an order what {@link findSpread} finds. */
export const takeSpread = compiledForGiven<RotatedSpread & { orderId: number }>()((db, spread) =>
  db
    .updateTable('stockIps')
    .set({ orderId: spread.orderId })
    .where('id', 'in', listFrom<number>(spreadIds(db, spread)))
    .returning('id'),
)

/**
 * Query for the ids of free proxies: the same share from each place that the order allows, and within a place from one network after
 * the other, so that one address of an order does not reveal the next (rules 5.15).
 */
function spreadIds(
  db: Queries,
  { productId, count, turn, cidr, taken, countryCode, cityCode, regionCode }: Placeholders<RotatedSpread>,
) {
  const wanted = (s: ExpressionBuilder<{ s: DB['stockIps'] }, 's'>) =>
    s.and([
      isFree(s),
      ...(cidr ? [s(ipRange(s), '=', cidr)] : []),
      ...(taken ? [s('s.id', 'not in', listOf(taken))] : []),
    ])
  const places = db
    .selectFrom('locations as l')
    .select(({ eb, fn }) => {
      const nth = fn.agg<number>('row_number').over((places) => places.orderBy('l.id'))
      const number = fn.countAll<number>().over()
      return ['l.id', eb(eb(nth, '+', turn), '%', number).as('turn'), number.as('number')]
    })
    .where('l.productId', '=', productId)
    .where(inPlace({ countryCode, cityCode, regionCode }))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('stockIps as s').select('s.id').whereRef('s.locationId', '=', 'l.id').where(wanted)),
    )
  return db
    .with(
      (table) => table('places').materialized(),
      () => places,
    )
    .selectFrom('places')
    .crossJoin('stockIps as p')
    .select('p.id')
    .where(({ eb, selectFrom }) =>
      eb(
        'p.id',
        'in',
        listFrom<number>(
          selectFrom('stockIps as s')
            .select('s.id')
            .whereRef('s.locationId', '=', 'places.id')
            .where(wanted)
            .orderBy(({ ref }) => withIds(ref('s.position'), ref('s.id')))
            .limit(({ selectFrom: from }) =>
              from('places')
                .select(({ eb, ref }) => {
                  const number = ref('number')
                  return eb(eb(eb(count, '+', number), '-', 1), '/', number).as('share')
                })
                .limit(1),
            ),
        ),
      ),
    )
    .orderBy('places.turn')
    .orderBy(({ ref }) => withIds(ref('p.position'), ref('p.id')))
    .limit(count)
}
