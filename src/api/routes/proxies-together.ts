import { z } from 'zod'
import { Money, record } from '../../core/record.ts'
import { endpoint } from '../endpoint.ts'
import { AutoRenewTogetherBody, RenewTogetherBody } from '../wire/static-order-body.ts'
import { RenewalRecord, renewalExample } from '../wire/renewal.ts'

const RenewedTogether = record(
  {
    renewals: RenewalRecord.array().meta({ description: 'One for each order as a rule' }),
    totalAmount: Money.meta({ description: 'Of all renewals' }),
    balance: Money.meta({ description: 'Of the user, right after the payment' }),
  },
  { id: 'RenewedTogether' },
)

/** POST /open/app/static/renew (rules 5.30). */
export const renewTogether = endpoint({
  name: 'renewProxies',
  method: 'POST',
  path: '/open/app/static/renew',
  tag: 'Static orders',
  scope: 'orders',
  summary: 'Renew proxies of several orders together',
  description:
    'Up to 500 proxies of one user from up to 100 orders: all of them or none. Proxies of one product are priced by their number ' +
    'together, except those of orders that can still be released for a refund. Without `duration` each proxy is renewed by the term ' +
    'for which its order was bought. Each order has a renewal of its own, as by `renewStaticOrder`.',
  body: RenewTogetherBody,
  answer: RenewedTogether.schema,
  idempotent: true,
  errors: [
    'insufficient_balance',
    'account_disabled',
    'sub_user_not_found',
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
    body: { instances: ['I20261120175700456A1B2C3D4'], duration: 1, unit: 3 },
    data: { renewals: [renewalExample], total_amount: 5, balance: 40 },
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const { instances, duration, unit, cycleTimes, totalAmount } = body
    const request = {
      instances,
      duration,
      unit: unit ?? undefined,
      cycleTimes: cycleTimes ?? undefined,
      totalAmount: totalAmount ?? undefined,
    }
    return RenewedTogether.show(replayed(await core.orders.renewTogether(actor, request, idempotencyKey)))
  },
})

const AutoRenewSet = z
  .strictObject({
    auto_renew: z.boolean(),
    count: z.int().meta({ description: 'How many proxies' }),
  })
  .meta({ id: 'AutoRenewSet' })

/** PATCH /open/app/static/auto-renew (rules 5.30). */
export const setAutoRenewTogether = endpoint({
  name: 'setAutoRenewOfProxies',
  method: 'PATCH',
  path: '/open/app/static/auto-renew',
  tag: 'Static orders',
  scope: 'orders',
  summary: 'Whether proxies of several orders renew themselves',
  description: 'Up to 500 active proxies: all of them or none. See `setAutoRenew`.',
  body: AutoRenewTogetherBody,
  answer: AutoRenewSet,
  errors: ['instance_not_found', 'invalid_state'],
  example: {
    body: { auto_renew: true, instances: ['I20261120175700456A1B2C3D4'] },
    data: { auto_renew: true, count: 1 },
  },
  async handle({ core, body: { instances, auto_renew } }, actor) {
    const count = await core.orders.setAutoRenewTogether(actor, { instances, autoRenew: auto_renew })
    return { auto_renew, count }
  },
})
