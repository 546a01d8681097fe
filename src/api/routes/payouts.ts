import { z } from 'zod'
import {
  PAYOUT,
  PAYOUT_EXAMPLE,
  PAYOUT_NAMES,
  PAYOUT_STATUSES,
  type Payout,
} from '../../core/earnings/payout.ts'
import { NewPayout } from '../../core/earnings/request-payout.ts'
import { record } from '../../core/record.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { changes, paging } from '../wire/query.ts'

const TAG = 'Earnings'
const PATH = '/open/app/agent/payouts'

const { username: _, ...ofOwnPayout } = PAYOUT
const fields = {
  ...ofOwnPayout,
  address: PAYOUT.address.meta({ description: 'Where the USDT are sent: TRON address, base58' }),
}
const PayoutRecord = record(fields, { id: 'Payout', names: { ...PAYOUT_NAMES, txid: 'tx_hash' } })

function shownPayout(payout: Payout) {
  return PayoutRecord.show({ ...payout, updatedAt: payout.endedAt ?? payout.createdAt })
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
  answer: listSchema(PayoutRecord.schema),
  errors: ['agent_required'],
  example: {
    query: { status: 'requested' },
    data: new List([shownPayout(PAYOUT_EXAMPLE)], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query }, actor) {
    const { page, pageSize = query.page_size, status, updated_since: updatedSince } = query
    const payouts = await core.earnings.listPayouts(actor, { page, pageSize, status, updatedSince })
    return new List(payouts.items.map(shownPayout), payouts)
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
  answer: PayoutRecord.schema,
  idempotent: true,
  errors: ['agent_required', 'insufficient_balance', 'idempotency_conflict'],
  example: { body: { amount: 10, address: PAYOUT_EXAMPLE.address }, data: shownPayout(PAYOUT_EXAMPLE) },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const input = { ...body, requestKey: idempotencyKey }
    return shownPayout(replayed(await core.earnings.requestPayout(actor, input)).payout)
  },
})

/** POST /open/app/agent/payouts/{payout_no}/cancel (rules 13.6). */
export const cancelPayout = endpoint({
  name: 'cancelPayout',
  method: 'POST',
  path: `${PATH}/:payout_no/cancel`,
  params: { payout_no: { description: 'Number of the payout', example: PAYOUT_EXAMPLE.payoutNo } },
  tag: TAG,
  scope: null,
  summary: 'Cancel a payout that the shop has not decided',
  description: 'The amount is available again. Repeating it answers the same.',
  answer: PayoutRecord.schema,
  idempotent: true,
  errors: ['agent_required', 'payout_not_found', 'invalid_state', 'idempotency_conflict'],
  example: {
    data: shownPayout({ ...PAYOUT_EXAMPLE, status: 'cancelled', endedAt: '2026-11-20T18:10:00.123Z' }),
  },
  async handle({ core, params, idempotencyKey, replayed }, actor) {
    return shownPayout(replayed(await core.earnings.cancelPayout(actor, params.payout_no, idempotencyKey)))
  },
})
