import { z } from 'zod'
import { PAYOUT_STATUSES, type Payout } from '../../core/earnings/payout.ts'
import { NewPayout } from '../../core/earnings/request-payout.ts'
import { usdtText } from '../../core/usdt.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { Money, money, Time } from '../wire/fields.ts'
import { changes, paging } from '../wire/query.ts'

const TAG = 'Earnings'
const PATH = '/open/app/agent/payouts'

const PayoutRecord = z
  .strictObject({
    payout_no: z.string().meta({ description: 'Number of the payout' }),
    amount: Money.meta({ description: 'What it takes of the earnings' }),
    usdt: z
      .string()
      .meta({ description: 'What the amount was worth at the request: USDT, at most 6 decimals' }),
    exchange_rate: z.number().meta({ description: 'Account currency per USDT, at the request' }),
    address: z.string().meta({ description: 'Where the USDT are sent: TRON address, base58' }),
    status: z.enum(PAYOUT_STATUSES).meta({
      description:
        '`requested`: the shop has not decided yet; `cancelled` by the agent. What is not `paid` comes back',
    }),
    tx_hash: z
      .string()
      .nullable()
      .meta({ description: 'The transaction with which it was paid; null: not paid' }),
    reason: z.string().meta({ description: 'Why it was refused; else empty' }),
    created_at: Time,
    updated_at: Time.meta({ description: 'When it was made, or has ended' }),
    ended_at: Time.nullable().meta({ description: 'When it was paid, refused or cancelled; null: not yet' }),
  })
  .meta({ id: 'Payout' })

function toPayout(payout: Payout): z.infer<typeof PayoutRecord> {
  return {
    payout_no: payout.payoutNo,
    amount: money(payout.amount),
    usdt: usdtText(payout.usdtUnits),
    exchange_rate: money(payout.rate),
    address: payout.address,
    status: payout.status,
    tx_hash: payout.txid,
    reason: payout.reason,
    created_at: payout.createdAt,
    updated_at: payout.endedAt ?? payout.createdAt,
    ended_at: payout.endedAt,
  }
}

const example: Payout = {
  id: 1,
  payoutNo: 'P20261120175700123K7M2P9QX',
  agentId: 1,
  username: 'agent',
  amount: 10_000_000,
  rate: 1_000_000,
  usdtUnits: 10_000_000,
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  status: 'requested',
  txid: null,
  reason: '',
  createdAt: '2026-11-20T17:57:00.123Z',
  endedAt: null,
}

/** GET /open/app/agent/payouts (rules 13.6). */
export const listPayouts = endpoint({
  name: 'listPayouts',
  method: 'GET',
  path: PATH,
  tag: TAG,
  scope: 'read',
  summary: 'Payouts of the agent',
  description: 'Newest first.',
  query: z.object({
    ...paging,
    status: z.enum(PAYOUT_STATUSES).optional().meta({ description: 'Payouts in this state only' }),
    ...changes,
  }),
  answer: listSchema(PayoutRecord),
  errors: ['agent_required'],
  example: {
    query: { status: 'requested' },
    data: new List([toPayout(example)], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query }, actor) {
    const { page, pageSize = query.page_size, status, updated_since: updatedSince } = query
    const payouts = await core.earnings.listPayouts(actor, { page, pageSize, status, updatedSince })
    return new List(payouts.items.map(toPayout), payouts)
  },
})

/** POST /open/app/agent/payouts (rules 13.6). */
export const requestPayout = endpoint({
  name: 'requestPayout',
  method: 'POST',
  path: PATH,
  tag: TAG,
  scope: null,
  summary: 'Ask for a payout in USDT',
  description:
    'The amount is no longer available at once. The shop sends the USDT by hand and notes the transaction, or refuses; then the amount ' +
    'comes back. `payout_min` of the earnings is the least amount, and `insufficient_balance` is about what is available.',
  body: NewPayout.omit({ requestKey: true })
    .extend({
      amount: NewPayout.shape.amount.meta({ description: 'At most what is available' }),
      address: NewPayout.shape.address.meta({
        description: 'TRON address, base58, to which the USDT are sent',
      }),
    })
    .meta({ id: 'RequestPayout' }),
  answer: PayoutRecord,
  text: { en: 'Payout requested', zh: '提现申请已提交' },
  idempotent: true,
  errors: ['agent_required', 'insufficient_balance', 'idempotency_conflict'],
  example: { body: { amount: 10, address: example.address }, data: toPayout(example) },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const input = { ...body, requestKey: idempotencyKey }
    return toPayout(replayed(await core.earnings.requestPayout(actor, input)).payout)
  },
})

/** POST /open/app/agent/payouts/{payout_no}/cancel (rules 13.6). */
export const cancelPayout = endpoint({
  name: 'cancelPayout',
  method: 'POST',
  path: `${PATH}/:payout_no/cancel`,
  params: { payout_no: { description: 'Number of the payout', example: example.payoutNo } },
  tag: TAG,
  scope: null,
  summary: 'Cancel a payout that the shop has not decided',
  description: 'The amount is available again. Repeating it answers the same.',
  answer: PayoutRecord,
  text: { en: 'Payout cancelled', zh: '提现申请已取消' },
  idempotent: true,
  errors: ['agent_required', 'payout_not_found', 'invalid_state', 'idempotency_conflict'],
  example: {
    data: toPayout({ ...example, status: 'cancelled', endedAt: '2026-11-20T18:10:00.123Z' }),
  },
  async handle({ core, params, idempotencyKey, replayed }, actor) {
    return toPayout(replayed(await core.earnings.cancelPayout(actor, params.payout_no, idempotencyKey)))
  },
})
