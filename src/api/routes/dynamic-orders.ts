import { z } from 'zod'
import { POOLS } from '../../core/catalog/product.ts'
import { ServiceError } from '../../core/errors.ts'
import { DYNAMIC_ORDER_STATUSES } from '../../core/orders/list-dynamic-orders.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import {
  BoughtTraffic,
  DynamicOrderBody,
  dynamicOrderExample,
  DynamicOrderRecord,
  toDynamicOrder,
} from '../wire/dynamic-order.ts'
import { recordId } from '../../core/identifiers.ts'
import { toNumber } from '../../core/money.ts'
import { changes, idOfRecord, paging } from '../wire/query.ts'
import { PROMO_CODE_REFUSALS, TARGET_REFUSALS } from './refusals.ts'

const TAG = 'Dynamic orders'

/** POST /open/app/order/create/v2 (rules 4.2, 6.1). */
export const createDynamicOrder = endpoint({
  name: 'createDynamicOrder',
  method: 'POST',
  path: '/open/app/order/create/v2',
  tag: TAG,
  scope: 'orders',
  summary: 'Buy traffic',
  description:
    'Charges the target user at the server’s price and credits the traffic at once. Prices in the body are ignored. Repeating a ' +
    'request under the same `appOrderNo` (or `Idempotency-Key`) answers the first result with the header ' +
    '`Idempotency-Replayed: true`.',
  body: DynamicOrderBody,
  answer: BoughtTraffic,
  idempotent: true,
  errors: ['insufficient_balance', ...TARGET_REFUSALS, ...PROMO_CODE_REFUSALS, 'idempotency_conflict'],
  example: {
    body: {
      orderType: 'dynamic_proxy',
      poolId: 'DYN-2',
      trafficAmount: 5,
      unitPrice: 0,
      totalAmount: 0,
      userId: 2,
      appOrderNo: 'MY-0002',
    },
    data: { ...dynamicOrderExample, balance: 40 },
  },
  async handle({ core, body, idempotencyKey, replayed, language }, actor) {
    const appOrderNo = body.appOrderNo ?? body.app_order_no ?? idempotencyKey
    const { order, balance } = replayed(await core.orders.createDynamic(actor, { ...body, appOrderNo }))
    return { ...toDynamicOrder(order, core.currency, language), balance: toNumber(balance) }
  },
})

const DynamicOrderQuery = z.object({
  ...paging,
  ...changes,
  user_id: idOfRecord.optional().meta({ description: 'Orders of this user' }),
  username: z.string().max(64).optional().meta({ description: 'Part of the username' }),
  order_no: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'Number of the order, ours or the application’s' }),
  orderNo: z.string().max(64).optional().meta({ description: 'Same as `order_no`' }),
  pool_type: z.enum(POOLS).optional().meta({ description: 'Orders from this pool only' }),
  status: z.enum(DYNAMIC_ORDER_STATUSES).optional().meta({ description: 'Orders in this state only' }),
  start_date: z.iso.date({ error: 'not_a_date' }).optional().meta({ description: 'First day, UTC' }),
  end_date: z.iso.date({ error: 'not_a_date' }).optional().meta({ description: 'Last day, UTC' }),
  keyword: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Part of the remark, an order number, the product or the username' }),
})

/** GET /dynamic (rules 6.3). */
export const listDynamicOrders = endpoint({
  name: 'listDynamicOrders',
  method: 'GET',
  path: '/dynamic',
  tag: TAG,
  scope: 'read',
  summary: 'Dynamic orders',
  description: 'Newest first. Own orders and, for an agent, those of its direct sub-users.',
  query: DynamicOrderQuery,
  answer: listSchema(DynamicOrderRecord.schema),
  example: {
    query: { pool_type: 'dynamic_2', page: 1, page_size: 20 },
    data: new List([dynamicOrderExample], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query, language }, actor) {
    const { page, username, status, keyword } = query
    const orders = await core.orders.listDynamic(actor, {
      page,
      username,
      status,
      keyword,
      pageSize: query.pageSize ?? query.page_size,
      userId: query.user_id,
      orderNo: query.order_no ?? query.orderNo,
      pool: query.pool_type,
      startDate: query.start_date,
      endDate: query.end_date,
      updatedSince: query.updated_since,
    })
    return new List(
      orders.items.map((order) => toDynamicOrder(order, core.currency, language)),
      orders,
    )
  },
})

/** GET /dynamic/{order_id} (rules 6.3). */
export const getDynamicOrder = endpoint({
  name: 'getDynamicOrder',
  method: 'GET',
  path: '/dynamic/:order_id',
  params: { order_id: { description: 'Id of the order', example: 1 } },
  tag: TAG,
  scope: 'read',
  summary: 'A dynamic order by its id',
  answer: DynamicOrderRecord.schema,
  errors: ['order_not_found'],
  example: { data: dynamicOrderExample },
  async handle({ core, params, language }, actor) {
    const id = recordId(params.order_id)
    if (id === undefined) throw new ServiceError('order_not_found')
    return toDynamicOrder(await core.orders.getDynamic(actor, { id }), core.currency, language)
  },
})

/** GET /dynamic/order-info/{order_no} (rules 6.3). */
export const getDynamicOrderByNumber = endpoint({
  name: 'getDynamicOrderByNumber',
  method: 'GET',
  path: '/dynamic/order-info/:order_no',
  params: {
    order_no: { description: 'Number of the order, ours or the application’s', example: 'demo-dynamic-2' },
  },
  tag: TAG,
  scope: 'read',
  summary: 'A dynamic order by its number, or by that of the application',
  answer: DynamicOrderRecord.schema,
  errors: ['order_not_found'],
  example: { data: dynamicOrderExample },
  async handle({ core, params, language }, actor) {
    const order = await core.orders.getDynamic(actor, { orderNo: params.order_no })
    return toDynamicOrder(order, core.currency, language)
  },
})
