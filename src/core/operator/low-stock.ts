import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { DB, StockLevel } from '../../generated/kysely/tables.ts'
import { isFree } from '../catalog/stock-conditions.ts'
import { compiled } from '../database/compiled.ts'
import { rowsAsJson } from '../database/dialect.ts'
import { isOnOffer, type OfferMoment, offerMoment } from '../catalog/offer-conditions.ts'
import { isAnybodyTold } from '../notices/concerns.ts'
import type { OperatorFacts } from '../facts/operator-facts.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { NAMES } from '../catalog/product-texts.ts'

interface Stock {
  /** Proxies for sale; own stock is counted up to the largest threshold only. */
  readonly free: number
  readonly threshold: number
  /** The level at the last look; null for a product or place that is new. */
  readonly known: StockLevel | null
}

/**
 * Sweep of the job loop: tells the operator that fewer proxies of a product are left than its threshold, and again when there are
 * none; the same for each of its places. Only a fall to a lower level is told: not a new product, nor a level that stays low or rises.
 * After a rise the next fall is told again.
 */
export async function tellLowStock(deps: Essentials): Promise<void> {
  if (!(await isAnybodyTold(deps))) return
  for (const product of await changedProducts(deps)) {
    const { id, places, productNo, names, free } = product
    const level = levelOf(product)
    const fallen = hasFallen(product)
    // When the product is sold out, or has one place only, its places add nothing.
    const tellPlaces = level !== 'none' && places.length > 1
    const low = tellPlaces ? places.filter(hasFallen) : []
    await deps.db.write(async (tx) => {
      const { $kysely } = tx
      await $kysely.updateTable('products').set({ stockLevel: level }).where('id', '=', id).execute()
      for (const place of places) {
        const { id, ...stock } = place
        const stockLevel = levelOf(stock)
        await $kysely.updateTable('locations').set({ stockLevel }).where('id', '=', id).execute()
      }
      if (!fallen && low.length === 0) return
      const data: OperatorFacts['stock_low'] = {
        productNo,
        names,
        free,
        told: fallen,
        places: low.map(({ countryCode, state, cityCode, free }) => ({ countryCode, state, cityCode, free })),
      }
      const subject = `${productNo} ${deps.clock.now().toISOString()}`
      happened(tx, { kind: 'stock_low', subject, data })
    })
  }
}

function levelOf({ free, threshold }: Stock): StockLevel {
  if (free >= threshold) return 'enough'
  return free === 0 ? 'none' : 'few'
}

function hasFallen(stock: Stock): boolean {
  const order: readonly StockLevel[] = ['none', 'few', 'enough']
  return stock.known !== null && order.indexOf(levelOf(stock)) < order.indexOf(stock.known)
}

/** Returns the enabled products with places of which a level differs from the last look. */
async function changedProducts({ db, clock }: Essentials) {
  const products = await findStock(db.read, offerMoment(clock.now()))
  return products.filter((product) =>
    [product, ...product.places].some((stock) => levelOf(stock) !== stock.known),
  )
}

/** Counts the proxies for sale: the own stock up to the largest threshold, plus what suppliers offer. */
const findStock = compiled<OfferMoment>()((db, moment) => {
  const free = (
    where: (eb: ExpressionBuilder<DB & { x: DB['locations'] }, 'x'>) => Expression<SqlBool>,
    threshold: 'lowStock' | 'lowStockPlace',
  ) => {
    const some = db
      .selectFrom('locations as x')
      .innerJoin('stockIps as s', 's.locationId', 'x.id')
      .select('s.id')
      .where(where)
      .where(isFree)
      .limit(({ selectFrom }) => selectFrom('products').select(({ fn }) => fn.max(threshold).as('most')))
    const offered = db
      .selectFrom('locations as x')
      .innerJoin('supplierOffers as f', 'f.id', 'x.offerId')
      .innerJoin('supplierConnections as c', 'c.id', 'f.connectionId')
      .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('f.stock'), lit(0)).as('stock'))
      .where(where)
      .where(isOnOffer({ now: moment.now, freshSince: moment.freshSince }))
      .$asScalar()
      .$notNull()
    return db
      .selectFrom(some.as('some'))
      .select(({ fn, eb }) => eb(fn.countAll<number>(), '+', offered).as('count'))
      .$asScalar()
      .$notNull()
  }
  return db
    .selectFrom('products as p')
    .select(['p.id', 'p.productNo', NAMES, 'p.lowStock as threshold', 'p.stockLevel as known'])
    .select(({ ref, selectFrom }) => {
      const places = selectFrom('locations as l')
        .select(['l.id', 'l.countryCode', 'l.state', 'l.cityCode', 'l.stockLevel as known'])
        .select((place) => [
          place.ref('p.lowStockPlace').as('threshold'),
          free((x) => x('x.id', '=', place.ref('l.id')), 'lowStockPlace').as('free'),
        ])
        .whereRef('l.productId', '=', 'p.id')
      return [
        free((x) => x('x.productId', '=', ref('p.id')), 'lowStock').as('free'),
        rowsAsJson(places, 'id').as('places'),
      ]
    })
    .where('p.enabled', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('locations').select('id').whereRef('productId', '=', 'p.id')),
    )
    .orderBy('p.id')
})
