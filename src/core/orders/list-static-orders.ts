import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import type { Project } from '../catalog/product.ts'
import { jsonObject, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'

export const ORDER_STATUSES = ['processing', 'active', 'partial', 'failed', 'expired', 'cancelled'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export interface Instance {
  readonly instanceNo: string
  readonly providerInstanceNo: string
  readonly ip: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly countryCode: string
  readonly state: string
  readonly cityCode: string
  readonly cidr: string
  readonly status: 'active' | 'expired' | 'released'
  readonly autoRenew: boolean
  readonly openedAt: string
  readonly expireTime: string
  readonly releasedAt: string | null
}

export interface StaticOrder {
  readonly id: number
  readonly orderNo: string
  readonly appOrderNo: string
  readonly providerOrderNo: string | null
  readonly userId: number
  readonly username: string
  readonly agentId: number | null
  readonly productNo: string
  readonly productNameEn: string
  readonly productNameZh: string
  readonly productType: number
  readonly projects: Project[]
  readonly projectId: string | null
  readonly proxyType: number
  readonly countryCode: string | null
  readonly cityCode: string | null
  readonly staticType: string | null
  readonly ipCount: number
  readonly successCount: number
  readonly duration: number
  readonly unit: number
  readonly cycleTimes: number
  readonly unitPrice: Micros
  readonly totalAmount: Micros
  readonly refundedAmount: Micros
  readonly status: OrderStatus
  readonly failReason: string | null
  readonly autoRenew: boolean
  readonly remark: string
  readonly expireTime: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly instances: Instance[]
}

const boolean = (column: string) => `json(iif(${column}, 'true', 'false'))`

export const instanceJson = jsonObject({
  instanceNo: 'i.instance_no',
  providerInstanceNo: 'i.provider_instance_no',
  ip: 'i.ip',
  port: 'i.port',
  username: 'i.username',
  password: 'i.password',
  countryCode: 'i.country_code',
  state: 'i.state',
  cityCode: 'i.city_code',
  cidr: 'i.cidr',
  status: 'i.status',
  autoRenew: boolean('i.auto_renew'),
  openedAt: 'i.opened_at',
  expireTime: 'i.expire_time',
  releasedAt: 'i.released_at',
})

const orderJson = jsonObject({
  id: 'o.id',
  orderNo: 'o.order_no',
  appOrderNo: 'o.app_order_no',
  providerOrderNo: 'o.provider_order_no',
  userId: 'o.user_id',
  username: 'u.username',
  agentId: 'u.agent_id',
  productNo: 'p.product_no',
  productNameEn: 'p.name_en',
  productNameZh: 'p.name_zh',
  productType: 'p.product_type',
  projects: 'json(p.projects)',
  projectId: 'o.project_id',
  proxyType: 'p.proxy_type',
  countryCode: 'o.country_code',
  cityCode: 'o.city_code',
  staticType: 'o.static_type',
  ipCount: 'o.ip_count',
  successCount: 'o.success_count',
  duration: 'o.duration',
  unit: 'o.unit',
  cycleTimes: 'o.cycle_times',
  unitPrice: 'o.unit_price',
  totalAmount: 'o.total_amount',
  refundedAmount: 'o.refunded_amount',
  status: 'o.status',
  failReason: 'o.fail_reason',
  autoRenew: boolean('o.auto_renew'),
  remark: 'o.remark',
  expireTime: 'o.expire_time',
  createdAt: 'o.created_at',
  updatedAt: 'o.updated_at',
  instances: `(SELECT json_group_array(${instanceJson.sql}) FROM (SELECT * FROM instances WHERE order_id = o.id ORDER BY id) i)`,
})

const PAGE_SIZE_LIMIT = 100

export const StaticOrderFilter = z.object({
  page: z.int().min(1).max(1_000_000).default(1),
  pageSize: z.int().min(1).max(PAGE_SIZE_LIMIT).default(20),
  status: z.enum(ORDER_STATUSES).optional(),
  /** Finds an order by its own or its application's number (contract 4). */
  orderNo: z.string().max(64).optional(),
  userId: z.int().positive().optional(),
})

export interface Page<Item> {
  readonly items: Item[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

/** Orders that the actor may see, newest first, with their instances (spec: static order list). */
export async function listStaticOrders(
  { db }: CoreDeps,
  actor: Actor,
  input: z.input<typeof StaticOrderFilter> = {},
): Promise<Page<StaticOrder>> {
  const { page, pageSize, ...filter } = parseInput(StaticOrderFilter, input)
  const conditions = Prisma.join(
    [
      visibleTo(actor, 'o.user_id'),
      ...(filter.status ? [Prisma.sql`o.status = ${filter.status}`] : []),
      ...(filter.orderNo ? [Prisma.sql`${filter.orderNo} IN (o.order_no, o.app_order_no)`] : []),
      ...(filter.userId ? [Prisma.sql`o.user_id = ${filter.userId}`] : []),
    ],
    ' AND ',
  )
  // One statement for count and rows: they belong to the same moment, and each statement has its price.
  const [row] = await selectJson<{ total: number; items: StaticOrder[] }>(
    db.read,
    Prisma.sql`SELECT json_object(
        'total', (SELECT count(*) FROM static_orders o WHERE ${conditions}),
        'items', (SELECT json_group_array(${orderJson}) FROM (
                    SELECT * FROM static_orders o WHERE ${conditions} ORDER BY id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) o
                  JOIN products p ON p.id = o.product_id JOIN accounts u ON u.id = o.user_id)) AS json`,
  )
  return { items: row?.items ?? [], total: row?.total ?? 0, page, pageSize }
}

/**
 * One order with its instances.
 *
 * @throws order_not_found, also when it is somebody else's
 */
export async function getStaticOrder(
  { db }: CoreDeps,
  actor: Actor,
  key: { orderNo: string } | { id: number },
): Promise<StaticOrder> {
  const which = 'id' in key ? Prisma.sql`o.id = ${key.id}` : Prisma.sql`o.order_no = ${key.orderNo}`
  const [order] = await selectJson<StaticOrder>(
    db.read,
    Prisma.sql`SELECT ${orderJson} AS json FROM static_orders o
               JOIN products p ON p.id = o.product_id JOIN accounts u ON u.id = o.user_id
               WHERE ${which} AND ${visibleTo(actor, 'o.user_id')}`,
  )
  if (!order) throw new ServiceError('order_not_found')
  return order
}
