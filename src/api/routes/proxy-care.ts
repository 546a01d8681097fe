import { z } from 'zod'
import { CHECK_REASONS, CHECK_STAGES } from '../../core/checks/record-check.ts'
import { ReplacementInput } from '../../core/orders/replace-instance.ts'
import { REPLACEMENT_STATUSES, type Replacement } from '../../core/orders/replacement.ts'
import { REPLACEMENT_GROUNDS } from '../../core/orders/replacement-terms.ts'
import { endpoint } from '../endpoint.ts'
import { Money, money, Time } from '../wire/fields.ts'
import { staticOrderExample } from '../wire/static-order.ts'

const params = {
  instance_no: { description: 'Number of the proxy', example: 'I20261120175700456A1B2C3D4' },
}

const Check = z
  .strictObject({
    order_no: z.string(),
    instance_no: z.string(),
    verdict: z.enum(['alive', 'dead', 'unknown']).meta({
      description:
        '`unknown`: this test failed, or says nothing; it takes three failures over ten minutes to be `dead`',
    }),
    stage: z.enum(CHECK_STAGES).meta({
      description:
        'How far the test came: `connect`, `handshake`, `credentials`, `echo`, `done`; `control`: it says nothing, because our own echo cannot be reached',
    }),
    reason: z.enum(CHECK_REASONS).nullable().meta({ description: 'Why it came no further' }),
    connect_ms: z.int().nullable().meta({ description: 'Until the connection to the proxy stood' }),
    first_byte_ms: z
      .int()
      .nullable()
      .meta({ description: 'From the request to the first byte of its answer' }),
    exit_address: z.string().nullable().meta({ description: 'From which the request arrived' }),
    checked_at: Time.meta({ description: 'When it was tested' }),
  })
  .meta({ id: 'ProxyCheck' })

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
  answer: Check,
  text: { en: 'Tested', zh: '检测完成' },
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
    return {
      order_no: check.orderNo,
      instance_no: check.instanceNo,
      verdict: check.verdict,
      stage: check.stage,
      reason: check.reason,
      connect_ms: check.connectMs,
      first_byte_ms: check.firstByteMs,
      exit_address: check.exitAddress,
      checked_at: check.checkedAt,
    }
  },
})

const Address = z.strictObject({ ip: z.string(), port: z.int() })
const ReplacementRecord = z
  .strictObject({
    replacement_no: z.string().meta({ description: 'Number of the replacement' }),
    order_no: z.string(),
    instance_no: z.string(),
    status: z.enum(REPLACEMENT_STATUSES).meta({
      description:
        '`requested`: the shop decides; `processing`: the other proxy is being bought; `refunded`: there was no equal one',
    }),
    ground: z.enum(REPLACEMENT_GROUNDS).meta({
      description:
        '`dead`: our tests say so; `young`: delivered within 24 hours; `none`: neither, so that the shop decides',
    }),
    reason: z.string().meta({ description: 'As it was sent' }),
    old: Address.meta({ description: 'Address before' }),
    new: Address.nullable().meta({ description: 'Address since; null while there is none' }),
    refund_amount: Money.meta({ description: 'What came back for the rest of the term' }),
    note: z.string().meta({ description: 'Of the shop' }),
    created_at: Time,
    ended_at: Time.nullable().meta({ description: 'When it was done, refunded or declined' }),
  })
  .meta({ id: 'ProxyReplacement' })

function recordOfReplacement(replacement: Replacement): z.output<typeof ReplacementRecord> {
  const { oldIp, oldPort, newIp, newPort } = replacement
  return {
    replacement_no: replacement.replacementNo,
    order_no: replacement.orderNo,
    instance_no: replacement.instanceNo,
    status: replacement.status,
    ground: replacement.ground,
    reason: replacement.reason,
    old: { ip: oldIp, port: oldPort },
    new: newIp === null || newPort === null ? null : { ip: newIp, port: newPort },
    refund_amount: money(replacement.refundAmount),
    note: replacement.note,
    created_at: replacement.createdAt,
    ended_at: replacement.endedAt,
  }
}

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
  answer: ReplacementRecord,
  text: { en: 'Replacement accepted', zh: '更换申请已受理' },
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
    return recordOfReplacement(replayed(replacement))
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
  answer: z.strictObject({ items: z.array(ReplacementRecord) }).meta({ id: 'ProxyReplacements' }),
  errors: ['instance_not_found'],
  example: { data: { items: [example] } },
  async handle({ core, params: { instance_no } }, actor) {
    const replacements = await core.orders.listReplacements(actor, { instanceNo: instance_no })
    return { items: replacements.map(recordOfReplacement) }
  },
})
