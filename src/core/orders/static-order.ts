import { Prisma, StaticOrderStatus, InstanceStatus } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import type { Project } from '../catalog/product.ts'
import { jsonObject, selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'

export const ORDER_STATUSES = Object.values(StaticOrderStatus)
export type OrderStatus = StaticOrderStatus

export const INSTANCE_STATUSES = Object.values(InstanceStatus)
export type { InstanceStatus }

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
  readonly status: InstanceStatus
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
  /** Billing period and refund window of the product. */
  readonly periodUnit: number
  readonly periodLength: number
  readonly refundHours: number
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
  /** Paid for renewals, on top of the total. */
  readonly renewedAmount: Micros
  readonly status: OrderStatus
  readonly failReason: string | null
  readonly autoRenew: boolean
  readonly remark: string
  readonly expireTime: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** When the first of the proxies in use expires; null when none is. */
  readonly firstExpireTime: string | null
  /** How many of its proxies the actor may see. */
  readonly instancesTotal: number
  /** Those proxies, oldest first: all of them, or in a list the first {@link EMBEDDED_INSTANCES}. */
  readonly instances: Instance[]
}

/** Proxies of one order in a list of several (rules 5.17): a page of a hundred orders has at most 5,000 of them. */
export const EMBEDDED_INSTANCES = 50

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

const orderFields = {
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
  periodUnit: 'p.period_unit',
  periodLength: 'p.period_length',
  refundHours: 'p.refund_hours',
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
  renewedAmount: 'o.renewed_amount',
  status: 'o.status',
  failReason: 'o.fail_reason',
  autoRenew: boolean('o.auto_renew'),
  remark: 'o.remark',
  expireTime: 'o.expire_time',
  createdAt: 'o.created_at',
  updatedAt: 'o.updated_at',
}

/**
 * JSON of an order with its proxies. Needs `o` = static_orders, `p` = products, `u` = accounts.
 *
 * @param shown SQL condition on instances `i`; a constant of the code
 * @param most proxies; all unless said otherwise
 */
export function orderJson(shown: string, most?: number): Prisma.Sql {
  const ofOrder = `FROM instances i WHERE i.order_id = o.id AND ${shown}`
  const first =
    most === undefined
      ? ofOrder
      : `FROM instances i WHERE i.id IN (SELECT i.id ${ofOrder} ORDER BY i.id LIMIT ${most})`
  return jsonObject({
    ...orderFields,
    firstExpireTime: `(SELECT min(i.expire_time) FROM instances i WHERE i.order_id = o.id AND i.status = 'active')`,
    instancesTotal: `(SELECT count(*) ${ofOrder})`,
    instances: `(SELECT json_group_array(${instanceJson.sql} ORDER BY i.id) ${first})`,
  })
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
    Prisma.sql`SELECT ${orderJson('1')} AS json FROM static_orders o
               JOIN products p ON p.id = o.product_id JOIN accounts u ON u.id = o.user_id
               WHERE ${which} AND ${visibleTo(actor, 'o.user_id')}`,
  )
  if (!order) throw new ServiceError('order_not_found')
  return order
}
