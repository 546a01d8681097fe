import { z } from 'zod'
import { type HeldOf, Money, record } from '../record.ts'
import { offeredIn, offerMoment } from './offer-conditions.ts'
import { OWN_STOCK } from './product.ts'
import { isFree, isResting } from './stock-conditions.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** The proxies of a product in a place. */
export const StockInPlaceRecord = record({
  productNo: z.string(),
  countryCode: z.string(),
  state: z.string(),
  cityCode: z.string(),
  supplier: z.string().meta({ description: '`inventory` for the own stock, or the name of a connection' }),
  free: z.int().meta({ description: 'Number of proxies for sale' }),
  held: z.int().nullable().meta({
    description:
      'Held by orders, expired proxies within the grace included; null where the proxies are a supplier’s',
  }),
  resting: z.int().nullable().meta({ description: 'Waiting for other credentials; null as for `held`' }),
  disabled: z
    .int()
    .nullable()
    .meta({ description: 'Taken off sale by the operator, and not held by an order; null as for `held`' }),
  leastCost: Money.nullable().meta({
    description:
      'Lowest monthly cost that is set for these proxies; null where none is set, and for a supplier’s',
  }),
  mostCost: Money.nullable().meta({ description: 'The highest; null as for `least_cost`' }),
})
export type StockInPlace = HeldOf<typeof StockInPlaceRecord>

/** Counts the stock by product and place, and what suppliers offer by place. */
export async function listStock({ db, clock }: Essentials): Promise<StockInPlace[]> {
  const own = await db.read.$kysely
    .selectFrom('stockIps as s')
    .innerJoin('locations as l', 'l.id', 's.locationId')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .select(['p.productNo', 'l.countryCode', 'l.state', 'l.cityCode'])
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(isFree).as('free'),
      fn.count<number>('s.orderId').as('held'),
      fn.countAll<number>().filterWhere(isResting).as('resting'),
      fn
        .countAll<number>()
        .filterWhere(({ eb, and }) => and([eb('s.orderId', 'is', null), eb('s.disabled', '=', true)]))
        .as('disabled'),
      fn.min<number | null>('s.monthlyCost').as('leastCost'),
      fn.max<number | null>('s.monthlyCost').as('mostCost'),
    ])
    .groupBy(['l.id', 'p.productNo'])
    .execute()
  const stockOf = offeredIn(offerMoment(clock.now()))
  const offered = await db.read.$kysely
    .selectFrom('locations as l')
    .innerJoin('products as p', 'p.id', 'l.productId')
    .select(['p.productNo', 'l.countryCode', 'l.state', 'l.cityCode', 'p.supplier'])
    .select((l) => stockOf(l).as('free'))
    .where('l.offerId', 'is not', null)
    .execute()
  return [
    ...own.map((place) => ({ ...place, supplier: OWN_STOCK })),
    ...offered.map(({ free, ...place }) => ({
      ...place,
      free: free ?? 0,
      held: null,
      resting: null,
      disabled: null,
      leastCost: null,
      mostCost: null,
    })),
  ].toSorted(byPlace)
}

function byPlace(a: StockInPlace, b: StockInPlace): number {
  const key = ({ productNo, countryCode, state, cityCode }: StockInPlace) =>
    [productNo, countryCode, state, cityCode].join('\0')
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0
}
