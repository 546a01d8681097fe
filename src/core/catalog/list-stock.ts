import { compiled } from '../database/compiled.ts'
import type { CoreDeps } from '../deps.ts'
import { isFree, isResting } from './stock-conditions.ts'

/** The proxies of a product in a place. */
export interface StockInPlace {
  readonly productNo: string
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
  /** For sale. */
  readonly free: number
  /** Held by orders, expired proxies within the grace included. */
  readonly held: number
  /** Waiting for other credentials. */
  readonly resting: number
  /** Taken off sale by the operator, and not held by an order. */
  readonly disabled: number
}

/** Counts the stock by product and place. */
export function listStock({ db }: CoreDeps): Promise<StockInPlace[]> {
  return countStock(db.read, {})
}

const countStock = compiled<object>()((db) =>
  db
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
    ])
    .groupBy(['l.id', 'p.productNo'])
    .orderBy('p.productNo')
    .orderBy('l.countryCode')
    .orderBy('l.state')
    .orderBy('l.cityCode'),
)
