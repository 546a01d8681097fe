import { z } from 'zod'
import { calendarDay } from '../../core/calendar-day.ts'
import { ORDER_FILTERS } from '../../core/orders/list-static-orders.ts'
import { EMBEDDED_INSTANCES, ORDER_STATUSES } from '../../core/orders/static-order.ts'
import { SEARCH_LIMITS } from '../../core/orders/search-static-orders.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { changes, flag, idOfRecord, paging } from '../wire/query.ts'
import { CreateStaticOrderBody } from '../wire/static-order-body.ts'
import {
  Acceptance,
  staticOrderExample,
  StaticOrderRecord,
  toAcceptance,
  toStaticOrder,
} from '../wire/static-order.ts'
import { PROMO_CODE_REFUSALS, STATIC_TERMS_REFUSALS, TARGET_REFUSALS } from './refusals.ts'

/** POST /open/app/static/order/create-standard/v2 (rules 4.2, 5.2, 5.5). */
export const createStaticOrder = endpoint({
  name: 'createStaticOrder',
  method: 'POST',
  path: '/open/app/static/order/create-standard/v2',
  tag: 'Static orders',
  scope: 'orders',
  summary: 'Order static proxies',
  description:
    'Charges the target user and reserves the IPs, then answers at once; the order is completed in the background. Read the ' +
    'result with the static order list and `orderNo`. What cannot be delivered is refunded. Repeating a request under the same ' +
    '`appOrderNo` (or `Idempotency-Key`) answers the first result with the header `Idempotency-Replayed: true`. A service that ' +
    'resells adds its id to the header `X-Reseller-Via`; an order that comes from this service itself, directly or through others, ' +
    'or through more than 8 services, is refused with `resale_loop`.',
  body: CreateStaticOrderBody,
  answer: Acceptance,
  idempotent: true,
  errors: [
    'insufficient_balance',
    ...TARGET_REFUSALS,
    ...PROMO_CODE_REFUSALS,
    'out_of_stock',
    'price_changed',
    'resale_loop',
    'idempotency_conflict',
    ...STATIC_TERMS_REFUSALS,
  ],
  example: {
    body: {
      orderType: 'static_proxy',
      poolId: 'ISP-RES',
      userId: 2,
      unitPrice: 0,
      totalAmount: 0,
      countryCode: 'US',
      cityCode: 'USNYC',
      ipCount: 2,
      duration: 1,
      unit: 3,
      cycleTimes: 1,
      appOrderNo: 'MY-0001',
    },
    data: toAcceptance('S20261120175700123Q2W3E4R5', 'MY-0001'),
  },
  async handle({ core, body, idempotencyKey, replayed, via }, actor) {
    const appOrderNo = body.appOrderNo ?? body.app_order_no ?? idempotencyKey
    const order = replayed(await core.orders.createStatic(actor, { ...body, appOrderNo }, via))
    return toAcceptance(order.orderNo, order.appOrderNo)
  },
})

const OrderNo = z.string().max(64).optional()
const Day = calendarDay.optional()
const UserId = idOfRecord.optional()

const StaticOrderQuery = z.object({
  ...paging,
  ...changes,
  status: z.enum(ORDER_STATUSES).optional().meta({ description: 'Orders in this state only' }),
  filter: z
    .enum(ORDER_FILTERS)
    .optional()
    .meta({
      description:
        'What the console’s tabs show: `active` includes `partial`, `expiring` has a proxy that expires within 7 days, `recycle` ' +
        'shows expired and released proxies only',
    }),
  orderNo: OrderNo.meta({ description: 'Number of the order, ours or the application’s' }),
  order_no: OrderNo.meta({ description: 'Same as `orderNo`' }),
  user_id: UserId.meta({ description: 'Orders of this user' }),
  search: z
    .string()
    .max(SEARCH_LIMITS.characters)
    .optional()
    .meta({
      description:
        'One line: an address with as much of `ip:port:user:pass` as there is, else a part of an order number, IP, username, ' +
        `password or remark, or a port. Several lines (at most ${SEARCH_LIMITS.lines}): addresses and whole order numbers`,
    }),
  region: z.string().max(64).optional().meta({
    description:
      'Code of a country, state or city, else a part of the name of a country or city in English or Chinese',
  }),
  created_start: Day.meta({ description: 'First day of creation, UTC' }),
  created_end: Day.meta({ description: 'Last day of creation, included' }),
  expire_start: Day.meta({ description: 'First day on which a proxy expires, UTC' }),
  expire_end: Day.meta({ description: 'Last day on which a proxy expires, included' }),
  show_recycle_bin: flag.optional().meta({
    description:
      'Whether an ordinary user also sees its expired and released proxies; an agent always sees them',
  }),
})

/** GET /open/app/static/order/list/v2 (rules 5.12, 5.13). */
export const listStaticOrders = endpoint({
  name: 'listStaticOrders',
  method: 'GET',
  path: '/open/app/static/order/list/v2',
  tag: 'Static orders',
  scope: 'read',
  summary: 'Static orders with their proxies',
  description:
    'Newest first. Own orders and, for an agent, those of its direct sub-users. `search`, `region` and the expiry range ask for ' +
    'orders with such a proxy among those that the caller is shown. Of several orders each has its first ' +
    `${EMBEDDED_INSTANCES} proxies and the number of all (\`instances_total\`); a list by \`orderNo\` has all of them.`,
  query: StaticOrderQuery,
  answer: listSchema(StaticOrderRecord),
  example: {
    query: { orderNo: 'demo-static-2' },
    data: new List([staticOrderExample], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query, language }, actor) {
    const { page, status, filter, search, region } = query
    const orders = await core.orders.listStatic(actor, {
      page,
      status,
      filter,
      search,
      region,
      pageSize: query.pageSize ?? query.page_size,
      orderNo: query.orderNo ?? query.order_no,
      userId: query.user_id,
      createdStart: query.created_start,
      createdEnd: query.created_end,
      expireStart: query.expire_start,
      expireEnd: query.expire_end,
      updatedSince: query.updated_since,
      showRecycleBin: query.show_recycle_bin,
    })
    return new List(
      orders.items.map((order) => toStaticOrder(order, language)),
      orders,
    )
  },
})

/** GET /open/app/static/orders/{order_no} (rules 5.29). */
export const getStaticOrder = endpoint({
  name: 'getStaticOrder',
  method: 'GET',
  path: '/open/app/static/orders/:order_no',
  params: {
    order_no: { description: 'Number of the order, ours or the application’s', example: 'demo-static-2' },
  },
  tag: 'Static orders',
  scope: 'read',
  summary: 'A static order with all its proxies',
  description: 'Of the caller or of a direct sub-user; expired and released proxies are among them.',
  answer: StaticOrderRecord,
  errors: ['order_not_found'],
  example: { data: staticOrderExample },
  handle: async ({ core, params, language }, actor) =>
    toStaticOrder(await core.orders.getStaticByNumber(actor, params.order_no), language),
})

/** GET /open/app/static/order/statistics (rules 5.14). */
export const staticOrderStatistics = endpoint({
  name: 'staticOrderStatistics',
  method: 'GET',
  path: '/open/app/static/order/statistics',
  tag: 'Static orders',
  scope: 'read',
  summary: 'Number of static orders and proxies per status',
  description: 'Own orders and, for an agent, those of its direct sub-users.',
  query: z.object({ user_id: UserId.meta({ description: 'Orders of this user' }) }),
  answer: z.strictObject({
    total: z.int(),
    processing: z.int(),
    active: z.int(),
    partial: z.int(),
    failed: z.int(),
    expired: z.int(),
    cancelled: z.int(),
    expiring_soon: z.int().meta({ description: 'Orders with a proxy that expires within 7 days' }),
    instances: z.strictObject({ total: z.int(), active: z.int(), expired: z.int(), released: z.int() }),
  }),
  example: {
    data: {
      total: 12,
      processing: 1,
      active: 8,
      partial: 1,
      failed: 0,
      expired: 1,
      cancelled: 1,
      expiring_soon: 2,
      instances: { total: 40, active: 35, expired: 3, released: 2 },
    },
  },
  async handle({ core, query }, actor) {
    const { expiringSoon, instances, total, ...statuses } = await core.orders.staticStatistics(actor, {
      userId: query.user_id,
    })
    return { total, ...statuses, expiring_soon: expiringSoon, instances }
  },
})
