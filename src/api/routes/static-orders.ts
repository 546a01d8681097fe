import { z } from 'zod'
import { ORDER_STATUSES } from '../../core/orders/list-static-orders.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { paging, wholeNumber } from '../wire/query.ts'
import { CreateStaticOrderBody } from '../wire/static-order-body.ts'
import {
  Acceptance,
  staticOrderExample,
  StaticOrderRecord,
  toAcceptance,
  toStaticOrder,
} from '../wire/static-order.ts'

/** POST /open/app/static/order/create-standard/v2 (spec: static orders; contract 4 and 5). */
export const createStaticOrder = endpoint({
  method: 'POST',
  path: '/open/app/static/order/create-standard/v2',
  tag: 'Static orders',
  summary: 'Order static proxies',
  description:
    'Charges the target user and reserves the IPs, then answers at once; the order is completed in the background. Read the ' +
    'result with the static order list and `orderNo`. What cannot be delivered is refunded. Repeating a request under the same ' +
    '`appOrderNo` (or `Idempotency-Key`) answers the first result with the header `Idempotency-Replayed: true`.',
  body: CreateStaticOrderBody,
  answer: Acceptance,
  text: { en: 'Order accepted', zh: '订单已受理' },
  idempotent: true,
  errors: [
    'insufficient_balance',
    'agent_required',
    'not_direct_sub_user',
    'account_disabled',
    'sub_user_not_found',
    'product_not_found',
    'out_of_stock',
    'price_changed',
    'idempotency_conflict',
    'project_required',
    'project_not_allowed',
    'location_not_supported_for_product',
    'duration_not_supported',
    'invalid_cidr_blocks',
    'assigned_ip_unavailable',
  ],
  example: {
    body: {
      orderType: 'static_proxy',
      poolId: 'STATIC-US',
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
  async handle({ core, body, idempotencyKey, setHeader }, actor) {
    const appOrderNo = body.appOrderNo ?? body.app_order_no ?? idempotencyKey
    const order = await core.orders.createStatic(actor, { ...body, appOrderNo })
    if (order.replayed) setHeader('idempotency-replayed', 'true')
    return toAcceptance(order.orderNo, order.appOrderNo)
  },
})

const StaticOrderQuery = z.object({
  ...paging,
  status: z.enum(ORDER_STATUSES).optional(),
  orderNo: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Number of the order, ours or the application’s' }),
  order_no: z.string().max(64).optional().meta({ description: 'Same as `orderNo`' }),
  user_id: wholeNumber(1, 999_999_999).optional().meta({ description: 'Orders of this user' }),
})

/** GET /open/app/static/order/list/v2 (spec: static orders; contract 5). */
export const listStaticOrders = endpoint({
  method: 'GET',
  path: '/open/app/static/order/list/v2',
  tag: 'Static orders',
  summary: 'Static orders with their proxies',
  description: 'Newest first. Own orders and, for an agent, those of its direct sub-users.',
  query: StaticOrderQuery,
  answer: listSchema(StaticOrderRecord),
  example: {
    query: { orderNo: 'S20261120175700123Q2W3E4R5' },
    data: new List([staticOrderExample], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query, language }, actor) {
    const { page, status } = query
    const orders = await core.orders.listStatic(actor, {
      page,
      status,
      pageSize: query.pageSize ?? query.page_size,
      orderNo: query.orderNo ?? query.order_no,
      userId: query.user_id,
    })
    return new List(
      orders.items.map((order) => toStaticOrder(order, language)),
      orders,
    )
  },
})
