import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { ProductFilter } from './query-products.ts'
import type { Project } from './product.ts'
import { inPlace, IP_RANGE } from './stock.ts'

export interface IpRangeFilter extends ProductFilter {
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
  /** With how many proxies are free, which disabled ones are not; one address stands for itself where the stock names no range. */
  readonly ipRanges: { ipRange: string; stock: number }[]
}

/** Which ranges still have free proxies, by product and place (rules 3.8). */
export function listIpRanges({ db }: CoreDeps, filter: IpRangeFilter = {}): Promise<IpRangeItem[]> {
  const conditions = [
    Prisma.sql`p.enabled = 1 AND s.order_id IS NULL AND s.resting = 0`,
    ...(filter.includeDisabled ? [] : [Prisma.sql`s.disabled = 0`]),
    ...(filter.proxyTypes ? [Prisma.sql`p.proxy_type IN (${Prisma.join([...filter.proxyTypes])})`] : []),
    ...(filter.productNo === undefined ? [] : [Prisma.sql`p.product_no = ${filter.productNo}`]),
    inPlace({ countryCode: filter.countryCode, cityCode: filter.cityCode, regionCode: filter.areaCode }),
  ]
  return selectJson<IpRangeItem>(
    db.read,
    Prisma.sql`SELECT json_object(
        'productNo', product_no, 'proxyType', proxy_type, 'productType', product_type, 'projects', json(projects),
        'countryCode', country_code, 'state', state, 'cityCode', city_code,
        'ipRanges', json_group_array(json_object('ipRange', ip_range, 'stock', free))) AS json
      FROM (
        SELECT p.id AS product, l.id AS location, p.product_no, p.proxy_type, p.product_type, p.projects,
               l.country_code, l.state, l.city_code,
               ${IP_RANGE} AS ip_range, sum(s.disabled = 0) AS free
        FROM stock_ips s JOIN locations l ON l.id = s.location_id JOIN products p ON p.id = l.product_id
        WHERE ${Prisma.join(conditions, ' AND ')}
        GROUP BY l.id, ip_range ORDER BY ip_range)
      GROUP BY location ORDER BY product, country_code, city_code`,
  )
}
