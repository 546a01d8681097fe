import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { FREE, RESTING } from './stock.ts'

/** The proxies of a product in a place. */
export interface StockInPlace {
  readonly productNo: string
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
  /** On sale. */
  readonly free: number
  /** Held by orders, and by those whose proxies expired a short while ago. */
  readonly held: number
  /** Waiting for other credentials. */
  readonly resting: number
  /** Taken off sale by the operator, and held by nobody. */
  readonly disabled: number
}

/** What is in the stock, place by place. */
export function listStock({ db }: CoreDeps): Promise<StockInPlace[]> {
  return selectJson<StockInPlace>(
    db.read,
    Prisma.sql`SELECT json_object('productNo', p.product_no, 'countryCode', l.country_code, 'state', l.state, 'cityCode', l.city_code,
                 'free', count(*) FILTER (WHERE ${FREE}),
                 'held', count(s.order_id),
                 'resting', count(*) FILTER (WHERE ${RESTING}),
                 'disabled', count(*) FILTER (WHERE s.order_id IS NULL AND s.disabled = 1)) AS json
               FROM stock_ips s JOIN locations l ON l.id = s.location_id JOIN products p ON p.id = l.product_id
               GROUP BY l.id ORDER BY p.product_no, l.country_code, l.state, l.city_code`,
  )
}
