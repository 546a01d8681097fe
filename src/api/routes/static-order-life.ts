import { z } from 'zod'
import { RENEWAL_STATUSES } from '../../core/orders/renewal.ts'
import { Money } from '../../core/record.ts'
import { toNumber } from '../../core/money.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { changes, idOfRecord, paging } from '../wire/query.ts'
import { renewalExample, RenewalRecord } from '../wire/renewal.ts'
import { AutoRenewBody, CancelBody, RenewBody } from '../wire/static-order-body.ts'
import { staticOrderExample, StaticOrderRecord, toStaticOrder } from '../wire/static-order.ts'

/** POST /open/app/static/order/renew (rules 5.7). */
export const renewStaticOrder = endpoint({
  name: 'renewStaticOrder',
  method: 'POST',
  path: '/open/app/static/order/renew',
  tag: 'Static orders',
  scope: 'orders',
  summary: 'Renew a static order or some of its proxies',
  description:
    'The order’s user pays what a new order of as many IPs would cost. Each proxy is prolonged from its expiry, or from now when ' +
    'that is past; expired ones can be renewed for 24 hours. Proxies of a third party are renewed when it has answered: the renewal ' +
    'is `processing` until then (see `getStaticOrderRenewal`), and what is not renewed is refunded; all of them by the same term. Without `instances` all proxies that can be renewed are. `appOrderNo` ' +
    'in the body does the same as the header `Idempotency-Key`.',
  body: RenewBody,
  answer: RenewalRecord.schema,
  idempotent: true,
  errors: [
    'insufficient_balance',
    'account_disabled',
    'sub_user_not_found',
    'order_not_found',
    'instance_not_found',
    'product_not_found',
    'order_processing',
    'invalid_state',
    'price_changed',
    'supplier_error',
    'idempotency_conflict',
    'duration_not_supported',
  ],
  example: {
    body: {
      order_no: 'demo-static-2',
      duration: 30,
      unit: 1,
      cycleTimes: 1,
      appOrderNo: 'MY-RENEWAL-0001',
    },
    data: renewalExample,
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const { order_no, orderNo, order_id, instances, duration, unit, cycleTimes } = body
    const number = order_no ?? orderNo
    const renewed = await core.orders.renewStatic(actor, {
      order: typeof number === 'string' ? { orderNo: number } : { id: order_id ?? 0 },
      instances: instances?.map((instance) => {
        if (typeof instance === 'string') return { instanceNo: instance }
        const { instance_no, instanceNo, ...term } = instance
        return { ...term, instanceNo: instanceNo ?? instance_no ?? '' }
      }),
      duration: duration ?? undefined,
      unit: unit ?? undefined,
      cycleTimes: cycleTimes ?? undefined,
      unitPrice: body.unitPrice ?? undefined,
      totalAmount: body.totalAmount ?? undefined,
      appOrderNo: body.appOrderNo ?? body.app_order_no ?? idempotencyKey,
    })
    return RenewalRecord.show(replayed(renewed))
  },
})

/** GET /open/app/static/renewals/{renew_order_no} (rules 5.18). */
export const getRenewal = endpoint({
  name: 'getStaticOrderRenewal',
  method: 'GET',
  path: '/open/app/static/renewals/:renew_order_no',
  params: {
    renew_order_no: {
      description: 'Number of the renewal, or the one that the caller gave it',
      example: 'demo-renewal-1',
    },
  },
  tag: 'Static orders',
  scope: 'read',
  summary: 'One renewal as it stands',
  description: 'Of an order of the caller or of a direct sub-user.',
  answer: RenewalRecord.schema,
  errors: ['order_not_found'],
  example: { data: renewalExample },
  async handle({ core, params }, actor) {
    return RenewalRecord.show(await core.orders.getRenewal(actor, params.renew_order_no))
  },
})

/** GET /open/app/static/renewals (rules 5.29). */
export const listRenewals = endpoint({
  name: 'listStaticOrderRenewals',
  method: 'GET',
  path: '/open/app/static/renewals',
  tag: 'Static orders',
  scope: 'read',
  summary: 'Renewals',
  description:
    'Newest first, those that the service made by itself among them. Of own orders and, for an agent, those of its direct sub-users.',
  query: z.object({
    ...paging,
    ...changes,
    order_no: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'Renewals of this order, by our number or that of the application' }),
    user_id: idOfRecord.optional().meta({ description: 'Renewals for this user' }),
    status: z.enum(RENEWAL_STATUSES).optional().meta({ description: 'Renewals in this state only' }),
  }),
  answer: listSchema(RenewalRecord.schema),
  example: {
    query: { status: 'success' },
    data: new List([renewalExample], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query }, actor) {
    const renewals = await core.orders.listRenewals(actor, {
      page: query.page,
      pageSize: query.pageSize ?? query.page_size,
      orderNo: query.order_no,
      userId: query.user_id,
      status: query.status,
      updatedSince: query.updated_since,
    })
    return new List(renewals.items.map(RenewalRecord.show), renewals)
  },
})

const CredentialsReset = z
  .strictObject({
    order_no: z.string(),
    instance_no: z.string(),
    reset_no: z.string().meta({ description: 'Number of the request' }),
  })
  .meta({ id: 'CredentialsReset' })

/** POST /open/app/static/instances/{instance_no}/reset-credentials (rules 5.19). */
export const resetCredentials = endpoint({
  name: 'resetInstanceCredentials',
  method: 'POST',
  path: '/open/app/static/instances/:instance_no/reset-credentials',
  params: {
    instance_no: { description: 'Number of the proxy', example: 'I20261120175700456A1B2C3D4' },
  },
  tag: 'Static orders',
  scope: 'orders',
  summary: 'Get other credentials for a proxy',
  description:
    'The supplier is asked for them; they are in the order as soon as it has answered, a moment later as a rule. Until then the old ' +
    'ones hold. Possible once an hour for each active proxy of a supplier that gives other credentials, else `invalid_state`.',
  answer: CredentialsReset,
  idempotent: true,
  errors: ['instance_not_found', 'invalid_state', 'supplier_error', 'idempotency_conflict'],
  example: {
    data: {
      order_no: staticOrderExample.order_no,
      instance_no: 'I20261120175700456A1B2C3D4',
      reset_no: 'P20261201080000000A2B3C4D5',
    },
  },
  async handle({ core, params, idempotencyKey, replayed }, actor) {
    const reset = await core.orders.resetCredentials(actor, params.instance_no, idempotencyKey)
    const { orderNo, instanceNo, resetNo } = replayed(reset)
    return { order_no: orderNo, instance_no: instanceNo, reset_no: resetNo }
  },
})

const Cancellation = z
  .strictObject({
    order_no: z.string(),
    status: StaticOrderRecord.shape.status,
    released_instances: z.array(z.string()).meta({ description: 'Numbers of the proxies' }),
    refund_amount: Money.schema.meta({ description: 'What this release gave back' }),
    balance: Money.schema.meta({ description: 'Of the order’s user' }),
  })
  .meta({ id: 'StaticOrderCancellation' })

/** POST /open/app/static/order/{order_no}/cancel (rules 5.9). */
export const cancelStaticOrder = endpoint({
  name: 'cancelStaticOrder',
  method: 'POST',
  path: '/open/app/static/order/:order_no/cancel',
  params: {
    order_no: { description: 'Number of the order, ours or the application’s', example: 'demo-static-5' },
  },
  tag: 'Static orders',
  scope: 'orders',
  summary: 'Release a static order or some of its proxies',
  description:
    'Within the refund window of the product (`refund_hours`, from the creation of the order) the price paid for the proxies comes ' +
    'back, renewals included, less what those that stay would have cost more in their number, by the price tiers of the purchase: ' +
    'of 50 bought at 3.50 each, 49 released give back 170.50 when one alone costs 4.50. What was kept back comes when the rest is ' +
    'released within the window, too. Later proxies are released without a refund. Without `instances` all active ones are ' +
    'released; with the last one the order is `cancelled`. A repetition changes nothing and gets the same answer.',
  body: CancelBody,
  answer: Cancellation,
  idempotent: true,
  errors: [
    'order_not_found',
    'instance_not_found',
    'order_processing',
    'invalid_state',
    'idempotency_conflict',
  ],
  example: {
    body: { reason: 'not needed' },
    data: {
      order_no: staticOrderExample.order_no,
      status: 'cancelled',
      released_instances: ['I20261120175700456A1B2C3D4'],
      refund_amount: 5,
      balance: 50,
    },
  },
  async handle({ core, params, body, idempotencyKey, replayed }, actor) {
    const { instances, reason } = body
    const released = await core.orders.cancelStatic(actor, {
      orderNo: params.order_no,
      instances: instances?.map((instance) =>
        typeof instance === 'string' ? instance : (instance.instanceNo ?? instance.instance_no ?? ''),
      ),
      reason,
      requestKey: idempotencyKey,
    })
    const cancellation = replayed(released)
    return {
      order_no: cancellation.orderNo,
      status: cancellation.status,
      released_instances: cancellation.releasedInstances,
      refund_amount: toNumber(cancellation.refundAmount),
      balance: toNumber(cancellation.balance),
    }
  },
})

/** PATCH /open/app/static/order/{order_no}/auto-renew (rules 5.8). */
export const setAutoRenew = endpoint({
  name: 'setAutoRenew',
  method: 'PATCH',
  path: '/open/app/static/order/:order_no/auto-renew',
  params: {
    order_no: { description: 'Number of the order, ours or the application’s', example: 'demo-static-2' },
  },
  tag: 'Static orders',
  scope: 'orders',
  summary: 'Whether an order or some of its proxies renew themselves',
  description:
    'An hour before they expire (6 hours for proxies of a third party) such proxies are renewed by the term for which the order was ' +
    'bought, at the price of that moment. When ' +
    'the balance does not suffice this is tried again every 5 minutes until they expire. `auto_renew` of the order says whether any of ' +
    'its proxies renews itself.',
  body: AutoRenewBody,
  answer: StaticOrderRecord,
  errors: ['order_not_found', 'instance_not_found', 'order_processing', 'invalid_state'],
  example: { body: { auto_renew: true }, data: { ...staticOrderExample, auto_renew: true } },
  async handle({ core, params, body, language }, actor) {
    const order = await core.orders.setAutoRenew(actor, {
      orderNo: params.order_no,
      autoRenew: body.auto_renew,
      instances: body.instances?.map((instance) =>
        typeof instance === 'string' ? instance : (instance.instanceNo ?? instance.instance_no ?? ''),
      ),
    })
    return toStaticOrder(order, language)
  },
})
