import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, targetUser } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { Micros } from '../money.ts'
import { priceFor, tierOf } from './prices.ts'
import type { Project } from './product.ts'
import { FREE } from './stock.ts'

export interface ProductFilter {
  readonly proxyTypes?: readonly number[]
  readonly productNo?: string
  /** ISO 3166-1 alpha-2. */
  readonly countryCode?: string
  readonly cityCode?: string
  /** Whose prices: the actor's own unless said otherwise, or those of a direct sub-user. */
  readonly userId?: number
}

/** A static product in one place, or a dynamic product. */
export interface CatalogItem {
  readonly productId: number
  readonly productNo: string
  readonly nameEn: string
  readonly nameZh: string
  readonly descriptionEn: string
  readonly descriptionZh: string
  /** Where exits of a dynamic product are; empty: everywhere. */
  readonly countries: readonly string[]
  readonly cities: readonly string[]
  readonly proxyType: number
  readonly productType: number
  readonly projects: Project[]
  readonly pool: string | null
  /** Billing period; 0 for a dynamic product. */
  readonly periodUnit: number
  readonly periodLength: number
  readonly refundHours: number
  readonly cidrSupported: boolean
  readonly assignIpSupported: boolean
  /** Null for a dynamic product. */
  readonly locationId: number | null
  readonly countryCode: string | null
  readonly state: string | null
  readonly cityCode: string | null
  /** Free proxies there. */
  readonly stock: number
  /** What the buyer pays for one unit. */
  readonly price: Micros
  /** What the buyer pays from which quantity on. */
  readonly tiers: { minQuantity: number; price: Micros }[]
}

/**
 * What can be bought, with stock and the buyer's prices (rules 3.3).
 *
 * @throws what targeting a sub-user refuses
 */
export async function queryProducts(
  { db }: CoreDeps,
  actor: Actor,
  filter: ProductFilter = {},
): Promise<CatalogItem[]> {
  const buyer = await targetUser(db.read, actor, filter.userId ?? actor.id)
  const conditions = [
    Prisma.sql`p.enabled = 1 AND (l.id IS NOT NULL OR p.pool IS NOT NULL)`,
    ...(filter.proxyTypes ? [Prisma.sql`p.proxy_type IN (${Prisma.join([...filter.proxyTypes])})`] : []),
    ...(filter.productNo === undefined ? [] : [Prisma.sql`p.product_no = ${filter.productNo}`]),
    ...(filter.countryCode === undefined ? [] : [Prisma.sql`l.country_code = ${filter.countryCode}`]),
    ...(filter.cityCode === undefined ? [] : [Prisma.sql`l.city_code = ${filter.cityCode}`]),
  ]
  return selectJson<CatalogItem>(
    db.read,
    Prisma.sql`SELECT json_object(
        'productId', p.id, 'productNo', p.product_no, 'nameEn', p.name_en, 'nameZh', p.name_zh, 'descriptionEn', p.description_en,
        'descriptionZh', p.description_zh, 'countries', json(p.countries), 'cities', json(p.cities), 'proxyType', p.proxy_type,
        'productType', p.product_type, 'projects', json(p.projects), 'pool', p.pool, 'periodUnit', p.period_unit,
        'periodLength', p.period_length, 'refundHours', p.refund_hours,
        'cidrSupported', json(iif(p.cidr_supported, 'true', 'false')),
        'assignIpSupported', json(iif(p.assign_ip_supported, 'true', 'false')),
        'locationId', l.id, 'countryCode', l.country_code, 'state', l.state, 'cityCode', l.city_code,
        'stock', (SELECT count(*) FROM stock_ips s WHERE s.location_id = l.id AND ${FREE}),
        'price', ${priceFor(buyer, 'price', 'p.id', 1)},
        'tiers', (SELECT json_group_array(json_object('minQuantity', min_quantity, 'price', price))
                  FROM (SELECT * FROM prices t WHERE ${tierOf(buyer, 'p.id')} ORDER BY t.min_quantity))) AS json
      FROM products p LEFT JOIN locations l ON l.product_id = p.id
      WHERE ${Prisma.join(conditions, ' AND ')} AND ${priceFor(buyer, 'price', 'p.id', 1)} IS NOT NULL
      ORDER BY p.shelf, p.id, l.country_code, l.city_code`,
  )
}
