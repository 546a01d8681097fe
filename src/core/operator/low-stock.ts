import { Prisma, type StockLevel } from '../../generated/prisma/client.ts'
import { FREE } from '../catalog/stock.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { announceToOperators } from '../notices/announce.ts'
import type { OperatorNoticeFacts } from '../notices/kinds.ts'

interface Stock {
  /** On sale; not counted any further where it is enough. */
  readonly free: number
  readonly threshold: number
  /** As the operator knows it; null for a product or place that nobody has looked at. */
  readonly known: StockLevel | null
}

interface PlaceStock extends Stock {
  readonly id: number
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
}

interface ProductStock extends Stock {
  readonly id: number
  readonly productNo: string
  readonly nameEn: string
  readonly nameZh: string
  readonly places: readonly PlaceStock[]
}

/**
 * Of the loop: tells the operator that fewer proxies of a product are left than its threshold, and again when there are none; the
 * same for each of its places. Told is what falls: neither a product that is being filled, nor what stays low. After more has come
 * in, it is told again when it falls again.
 */
export async function tellLowStock(deps: CoreDeps): Promise<void> {
  if (deps.operatorChats.length === 0) return
  for (const product of await changedProducts(deps)) {
    const { id, places, productNo, nameEn, nameZh, free } = product
    const level = levelOf(product)
    const fallen = hasFallen(product)
    // The product says it all when it is sold out, or has one place only.
    const tellPlaces = level !== 'none' && places.length > 1
    const low = tellPlaces ? places.filter(hasFallen) : []
    await deps.db.write(async (tx) => {
      await tx.product.update({ where: { id }, data: { stockLevel: level } })
      for (const place of places)
        await tx.location.update({ where: { id: place.id }, data: { stockLevel: levelOf(place) } })
      if (!fallen && low.length === 0) return
      const data: OperatorNoticeFacts['stock_low'] = {
        productNo,
        nameEn,
        nameZh,
        free,
        told: fallen,
        places: low.map(({ countryCode, state, cityCode, free }) => ({ countryCode, state, cityCode, free })),
      }
      const subject = `${productNo} ${deps.clock.now().toISOString()}`
      await announceToOperators(deps, tx, { kind: 'stock_low', subject, data })
    })
    deps.jobs.wake()
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

/** Products that are on sale and have, or had, a stock, where something is not as the operator knows it. */
async function changedProducts({ db }: CoreDeps): Promise<ProductStock[]> {
  // Counting stops at the largest threshold.
  const free = (where: string, threshold: string) =>
    Prisma.raw(`(SELECT count(*) FROM (SELECT 1 FROM locations x JOIN stock_ips s ON s.location_id = x.id
                 WHERE ${where} AND ${FREE.sql} LIMIT (SELECT max(${threshold}) FROM products)))`)
  const products = await selectJson<ProductStock>(
    db.read,
    Prisma.sql`SELECT json_object('id', p.id, 'productNo', p.product_no, 'nameEn', p.name_en, 'nameZh', p.name_zh,
        'free', ${free('x.product_id = p.id', 'low_stock')}, 'threshold', p.low_stock, 'known', p.stock_level,
        'places', (SELECT json_group_array(json_object('id', l.id, 'countryCode', l.country_code, 'state', l.state,
            'cityCode', l.city_code, 'free', ${free('x.id = l.id', 'low_stock_place')}, 'threshold', p.low_stock_place,
            'known', l.stock_level) ORDER BY l.id)
          FROM locations l WHERE l.product_id = p.id)) AS json
      FROM products p WHERE p.enabled AND EXISTS (SELECT 1 FROM locations WHERE product_id = p.id)`,
  )
  return products.filter((product) =>
    [product, ...product.places].some((stock) => levelOf(stock) !== stock.known),
  )
}
