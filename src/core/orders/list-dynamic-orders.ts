import { z } from 'zod'
import { Prisma, DynamicOrderStatus } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { POOLS } from '../catalog/product.ts'
import { jsonObject, type Readable, selectJson } from '../database/database.ts'
import { contains } from '../database/like.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import type { Bytes } from '../traffic/bytes.ts'
import { type Page, paging } from '../page.ts'

export const DYNAMIC_ORDER_STATUSES = Object.values(DynamicOrderStatus)
export type { DynamicOrderStatus }

export interface DynamicOrder {
  readonly id: number
  readonly orderNo: string
  readonly appOrderNo: string
  readonly userId: number
  readonly username: string
  readonly agentId: number | null
  readonly productNo: string
  readonly productNameEn: string
  readonly productNameZh: string
  readonly pool: string
  readonly proxyType: number
  readonly trafficBytes: Bytes
  readonly usedBytes: Bytes
  /** Per GB. */
  readonly unitPrice: Micros
  readonly totalAmount: Micros
  readonly status: DynamicOrderStatus
  readonly remark: string
  readonly createdAt: string
  readonly updatedAt: string
}

const orderJson = jsonObject({
  id: 'o.id',
  orderNo: 'o.order_no',
  appOrderNo: 'o.app_order_no',
  userId: 'o.user_id',
  username: 'u.username',
  agentId: 'u.agent_id',
  productNo: 'p.product_no',
  productNameEn: 'p.name_en',
  productNameZh: 'p.name_zh',
  pool: 'p.pool',
  proxyType: 'p.proxy_type',
  trafficBytes: 'o.traffic_bytes',
  usedBytes: 'o.used_bytes',
  unitPrice: 'o.unit_price',
  totalAmount: 'o.total_amount',
  status: 'o.status',
  remark: 'o.remark',
  createdAt: 'o.created_at',
  updatedAt: 'o.updated_at',
})

const ORDERS = Prisma.sql`dynamic_orders o JOIN products p ON p.id = o.product_id JOIN accounts u ON u.id = o.user_id`

export const DynamicOrderFilter = z
  .object({
    ...paging,
    userId: z.int().positive().optional(),
    /** Part of the name of the user who owns the traffic. */
    username: z.string().max(64).optional(),
    /** Finds an order by its own or its application's number (rules 4.6). */
    orderNo: z.string().max(64).optional(),
    pool: z.enum(POOLS).optional(),
    status: z.enum(DYNAMIC_ORDER_STATUSES).optional(),
    /** Both days included. */
    startDate: calendarDay.optional(),
    endDate: calendarDay.optional(),
    /** Part of a remark, order number, product number, product name or username. */
    keyword: z.string().max(200).optional(),
  })
  .refine(inOrder, { path: ['end_date'], error: 'ends_before_it_starts' })

/** Dynamic orders that the actor may see, newest first (rules 6.3). */
export async function listDynamicOrders(
  { db }: CoreDeps,
  actor: Actor,
  input: z.input<typeof DynamicOrderFilter> = {},
): Promise<Page<DynamicOrder>> {
  const { page, pageSize, ...filter } = parseInput(DynamicOrderFilter, input)
  const { userId, username, orderNo, pool, status, startDate, endDate, keyword } = filter
  const conditions = Prisma.join(
    [
      visibleTo(actor, 'o.user_id'),
      ...(userId ? [Prisma.sql`o.user_id = ${userId}`] : []),
      ...(username ? [contains('u.username', username)] : []),
      ...(orderNo ? [Prisma.sql`o.id IN (${idsOfNumber(orderNo)})`] : []),
      ...(pool ? [Prisma.sql`p.pool = ${pool}`] : []),
      ...(status ? [Prisma.sql`o.status = ${status}`] : []),
      ...(startDate ? [Prisma.sql`o.created_at >= ${startDate}`] : []),
      ...(endDate ? [Prisma.sql`o.created_at < ${endOf(endDate)}`] : []),
      ...(keyword
        ? [
            Prisma.sql`(${Prisma.join(
              KEYWORD_COLUMNS.map((column) => contains(column, keyword)),
              ' OR ',
            )})`,
          ]
        : []),
    ],
    ' AND ',
  )
  // One statement for count and rows: they belong to the same moment.
  const [row] = await selectJson<{ total: number; items: DynamicOrder[] }>(
    db.read,
    Prisma.sql`SELECT json_object(
        'total', (SELECT count(*) FROM ${ORDERS} WHERE ${conditions}),
        'items', (SELECT json_group_array(json(record)) FROM (
                    SELECT ${orderJson} AS record FROM ${ORDERS} WHERE ${conditions}
                    ORDER BY o.id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}))) AS json`,
  )
  return { items: row?.items ?? [], total: row?.total ?? 0, page, pageSize }
}

const KEYWORD_COLUMNS = [
  'o.remark',
  'o.order_no',
  'o.app_order_no',
  'p.product_no',
  'p.name_en',
  'p.name_zh',
  'u.username',
]

/** Which order is meant: by id, or by a number, which is the order's own or the one that the application gave. */
export type DynamicOrderKey = { readonly id: number } | { readonly orderNo: string }

/**
 * One dynamic order (rules 4.6, 6.3). Application numbers are unique per
 * caller only: where an agent and its sub-users used the same one, its own order comes first, then the newest.
 *
 * @throws order_not_found, also when it is somebody else's
 */
export async function getDynamicOrder(
  { db }: CoreDeps,
  actor: Actor,
  key: DynamicOrderKey,
): Promise<DynamicOrder> {
  const which = 'id' in key ? Prisma.sql`o.id = ${key.id}` : Prisma.sql`o.id IN (${idsOfNumber(key.orderNo)})`
  const first = 'id' in key ? which : Prisma.sql`o.order_no = ${key.orderNo}`
  const [order] = await selectJson<DynamicOrder>(
    db.read,
    Prisma.sql`SELECT ${orderJson} AS json FROM ${ORDERS}
               WHERE ${which} AND ${visibleTo(actor, 'o.user_id')} 
               ORDER BY ${first} DESC, o.caller_id = ${actor.id} DESC, o.id DESC LIMIT 1`,
  )
  if (!order) throw new ServiceError('order_not_found')
  return order
}

/** SQL of the ids of orders that have this number, their own or their application's; each by its index. */
function idsOfNumber(number: string): Prisma.Sql {
  return Prisma.sql`SELECT id FROM dynamic_orders WHERE order_no = ${number}
                    UNION ALL SELECT id FROM dynamic_orders WHERE app_order_no = ${number}`
}

/** The order as it stands; for those who know that it is there. */
export async function readDynamicOrder(db: Readable, orderNo: string): Promise<DynamicOrder> {
  const [order] = await selectJson<DynamicOrder>(
    db,
    Prisma.sql`SELECT ${orderJson} AS json FROM ${ORDERS} WHERE o.order_no = ${orderNo}`,
  )
  if (!order) throw new Error(`order ${orderNo} does not exist`)
  return order
}
