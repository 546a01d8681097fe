import { z } from 'zod'
import { PROXY_CHECK } from '../../core/checks/record-check.ts'
import { ReplacementInput } from '../../core/orders/replace-instance.ts'
import { REPLACEMENT, withAddresses } from '../../core/orders/replacement.ts'
import { record } from '../../core/record.ts'
import { endpoint } from '../endpoint.ts'
import { staticOrderExample } from '../wire/static-order.ts'

const params = {
  instance_no: { description: 'Number of the proxy', example: 'I20261120175700456A1B2C3D4' },
}

const CheckRecord = record(
  { orderNo: z.string(), instanceNo: z.string(), ...PROXY_CHECK },
  { id: 'ProxyCheck' },
)

/** POST /open/app/static/instances/{instance_no}/check (rules 5.20). */
export const checkInstance = endpoint({
  name: 'checkInstance',
  method: 'POST',
  path: '/open/app/static/instances/:instance_no/check',
  params,
  tag: 'Static orders',
  scope: 'orders',
  summary: 'Test a proxy',
  description:
    'Connects to the proxy as its user would, by HTTP and then SOCKS5, and asks an address of this service through it. Takes at most ' +
    '15 seconds. A proxy is tested once a minute, whoever asks.',
  answer: CheckRecord.schema,
  errors: ['instance_not_found', 'invalid_state', 'rate_limited', 'unavailable'],
  example: {
    data: {
      order_no: staticOrderExample.order_no,
      instance_no: params.instance_no.example,
      verdict: 'alive',
      stage: 'done',
      reason: null,
      connect_ms: 41,
      first_byte_ms: 180,
      exit_address: '192.0.2.1',
      checked_at: '2026-12-01T08:00:00.000Z',
    },
  },
  async handle({ core, params: { instance_no } }, actor) {
    const check = await core.checks.check(actor, { instanceNo: instance_no })
    return CheckRecord.show(check)
  },
})

const ReplacementRecord = record(REPLACEMENT, { id: 'ProxyReplacement' })
const example = {
  replacement_no: 'X20261201080000000A2B3C4D5',
  order_no: staticOrderExample.order_no,
  instance_no: params.instance_no.example,
  status: 'done',
  ground: 'dead',
  reason: 'does not connect',
  old: { ip: '192.0.2.1', port: 8000 },
  new: { ip: '192.0.2.77', port: 8000 },
  refund_amount: 0,
  note: '',
  created_at: '2026-12-01T08:00:00.000Z',
  ended_at: '2026-12-01T08:00:00.000Z',
} as const

const ReplaceBody = z
  .object({
    reason: ReplacementInput.shape.reason.meta({ description: 'What is wrong with the proxy' }),
    refund: ReplacementInput.shape.refund.meta({
      description:
        'Where there is no equal proxy: release this one and give back the price of the rest of its term; `out_of_stock` otherwise',
    }),
  })
  .meta({ id: 'ReplaceProxy' })

/** POST /open/app/static/instances/{instance_no}/replace (rules 5.22). */
export const replaceInstance = endpoint({
  name: 'replaceInstance',
  method: 'POST',
  path: '/open/app/static/instances/:instance_no/replace',
  params,
  tag: 'Static orders',
  scope: 'orders',
  summary: 'Replace a proxy by another one of the same product and place',
  description:
    'The proxy keeps its number and its expiry and gets another address and other credentials. At once where the product allows it and ' +
    'the proxy is dead by our tests or was delivered within 24 hours (once a day); otherwise the shop decides, and the record is ' +
    '`requested`.',
  body: ReplaceBody,
  answer: ReplacementRecord.schema,
  idempotent: true,
  errors: [
    'instance_not_found',
    'invalid_state',
    'order_processing',
    'rate_limited',
    'out_of_stock',
    'idempotency_conflict',
  ],
  example: { body: { reason: 'does not connect' }, data: example },
  async handle({ core, params: { instance_no }, body, idempotencyKey, replayed }, actor) {
    const replacement = await core.orders.replaceInstance(actor, {
      instanceNo: instance_no,
      reason: body.reason,
      refund: body.refund,
      requestKey: idempotencyKey,
    })
    return ReplacementRecord.show(withAddresses(replayed(replacement)))
  },
})

/** GET /open/app/static/instances/{instance_no}/replacements (rules 5.22). */
export const listReplacements = endpoint({
  name: 'listReplacements',
  method: 'GET',
  path: '/open/app/static/instances/:instance_no/replacements',
  params,
  tag: 'Static orders',
  scope: 'read',
  summary: 'What a proxy was before',
  description: 'Its replacements and the wishes for one, newest first.',
  answer: z.strictObject({ items: z.array(ReplacementRecord.schema) }).meta({ id: 'ProxyReplacements' }),
  errors: ['instance_not_found'],
  example: { data: { items: [example] } },
  async handle({ core, params: { instance_no } }, actor) {
    const replacements = await core.orders.listReplacements(actor, { instanceNo: instance_no })
    return { items: replacements.map(withAddresses).map(ReplacementRecord.show) }
  },
})
