import { z } from 'zod'
import { calendarDay } from '../../core/calendar-day.ts'
import { TopUpInput } from '../../core/top-ups/create-top-up.ts'
import { TOP_UP_STATUSES } from '../../core/top-ups/top-up.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { changes, idOfRecord, paging } from '../wire/query.ts'
import {
  CheckedTopUpRecord,
  CONFIRMATIONS,
  toCheckedTopUp,
  topUpExample,
  TopUpRecord,
  toTopUp,
  walletInfoOf,
  WalletInfo,
} from '../wire/top-up.ts'

const TAG = 'USDT top-up'
const OrderNumber = z.string().trim().min(1).max(64)

/** The number of a top-up in all its spellings. */
const Named = z.object({
  order_no: OrderNumber.optional().meta({
    description: 'Number of the top-up, ours or the application’s; required in one spelling',
  }),
  orderNo: OrderNumber.optional().meta({ description: 'Same as `order_no`' }),
  order_id: OrderNumber.optional().meta({ description: 'Same as `order_no`' }),
})
const numberIn = ({ order_no, orderNo, order_id }: z.output<typeof Named>) => order_no ?? orderNo ?? order_id
const isNamed = (named: z.output<typeof Named>) => numberIn(named) !== undefined
/** A transaction id, as people and programs write it, with the position of a transfer in it where it has several. */
const TRANSFER_NAME = /^\s*(0x)?[0-9a-f]{64}(:\d{1,4})?\s*$/i
/** Transaction of the transfer in the examples. */
const CLAIMED = '7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc'
const NOT_NAMED = { path: ['order_no'], error: 'required' }

/** GET /usdt/wallet-info (rules 8.2). */
export const walletInfo = endpoint({
  name: 'walletInfo',
  method: 'GET',
  path: '/usdt/wallet-info',
  tag: TAG,
  scope: 'read',
  summary: 'The receiving wallet and the exchange rate',
  answer: WalletInfo,
  example: {
    data: {
      address: topUpExample.address,
      network: 'TRC20',
      currency: 'USDT',
      contract_address: topUpExample.contract_address,
      decimals: 6,
      exchange_rate: 1,
      balance_currency: 'USD',
      min_amount: '1.00',
      max_amount: '50000.00',
      expire_minutes: 30,
      confirmations_required: CONFIRMATIONS,
      qr_content: topUpExample.address,
      enabled: true,
    },
  },
  handle: ({ core }) => walletInfoOf(core),
})

const { shape } = TopUpInput
const CreateTopUpBody = z
  .object({
    amount: shape.amount.meta({ description: 'USDT, at most 2 decimals: `"100"`, `"99.50"` or `100`' }),
    client_order_no: shape.clientOrderNo.meta({
      description: 'Unique per caller; repeating it repeats the answer, not the top-up',
    }),
  })
  .meta({ id: 'CreateTopUp' })

/** POST /usdt/create-order (rules 8.3). */
export const createTopUp = endpoint({
  name: 'createTopUp',
  method: 'POST',
  path: '/usdt/create-order',
  tag: TAG,
  scope: 'top-ups',
  summary: 'Open a top-up',
  description:
    'Exactly `pay_amount` must arrive at `address` in USDT on the TRON network (TRC20): what an exchange keeps as its fee comes on ' +
    'top. At most 3 top-ups of a user can await their payment. A payment within 24 hours after the expiry or the cancellation is ' +
    'still credited, of a cancelled one for an hour at least: while amounts are scarce, it comes back earlier. When no free amount is left near this one, the answer is `unavailable`: ask for another amount.',
  body: CreateTopUpBody,
  answer: TopUpRecord.schema,
  idempotent: true,
  errors: [
    'amount_out_of_range',
    'too_many_pending_orders',
    'idempotency_conflict',
    'top_up_disabled',
    'unavailable',
  ],
  example: { body: { amount: '100', client_order_no: 'MY-0003' }, data: topUpExample },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const clientOrderNo = body.client_order_no ?? idempotencyKey
    const { topUp } = replayed(await core.topUps.create(actor, { amount: body.amount, clientOrderNo }))
    return toTopUp(topUp, core.now())
  },
})

/** GET /usdt/check-status (rules 8.9). */
export const checkTopUp = endpoint({
  name: 'checkTopUp',
  method: 'GET',
  path: '/usdt/check-status',
  tag: TAG,
  scope: 'read',
  summary: 'A top-up, after a look at the chain',
  description:
    'Waits at most 4 seconds for the chain; `chain_stale` says that it could not be read. Asking more often than every 3 seconds ' +
    'finds nothing new.',
  query: Named.refine(isNamed, NOT_NAMED),
  answer: CheckedTopUpRecord.schema,
  errors: ['order_not_found'],
  example: {
    query: { order_no: 'demo-top-up-1' },
    data: {
      ...topUpExample,
      chain_checked_at: '2026-11-21T17:58:00.123Z',
      chain_stale: false,
      confirmations: 0,
      balance: 50,
      offered_transfer: null,
    },
  },
  async handle({ core, query }, actor) {
    return toCheckedTopUp(await core.topUps.check(actor, numberIn(query) ?? ''), core.now())
  },
})

const ClaimBody = Named.extend({
  tx_hash: z.string().max(80).regex(TRANSFER_NAME, 'not_a_txid').meta({
    description:
      'Transaction of the transfer, as `offered_transfer` has it; `HASH:INDEX` where it has several transfers',
  }),
})
  .refine(isNamed, NOT_NAMED)
  .meta({ id: 'ClaimTransfer' })

/** POST /usdt/claim-transfer (rules 8.14). */
export const claimTransfer = endpoint({
  name: 'claimTransfer',
  method: 'POST',
  path: '/usdt/claim-transfer',
  tag: TAG,
  scope: 'top-ups',
  summary: 'Say that a transfer is the payment for a top-up',
  description:
    'For a transfer of another amount than `pay_amount`, which `checkTopUp` shows as `offered_transfer`. The shop decides; the top-up ' +
    'is `paid` at once only where the transfer is the amount without its tail, and its sender has paid this account before and no ' +
    'other one. Repeating it changes nothing.',
  body: ClaimBody,
  answer: CheckedTopUpRecord.schema,
  errors: ['order_not_found', 'payment_in_progress'],
  example: {
    body: { order_no: 'demo-top-up-1', tx_hash: CLAIMED },
    data: {
      ...topUpExample,
      chain_checked_at: '2026-11-21T17:58:00.123Z',
      chain_stale: false,
      confirmations: 0,
      balance: 50,
      offered_transfer: {
        tx_hash: CLAIMED,
        log_index: 0,
        from_address: 'TFFAMQLZybALaLb4uxHA9RBE7pxhUAjF3U',
        amount: '100.00',
        block_time: '2026-11-21T17:57:30.000Z',
        claimed: true,
      },
    },
  },
  async handle({ core, body }, actor) {
    const claimed = await core.topUps.claim(actor, numberIn(body) ?? '', { txHash: body.tx_hash })
    return toCheckedTopUp(claimed, core.now())
  },
})

/** GET /usdt/orders (rules 8.13). */
export const listTopUps = endpoint({
  name: 'listTopUps',
  method: 'GET',
  path: '/usdt/orders',
  tag: TAG,
  scope: 'read',
  summary: 'Top-ups',
  description: 'Newest first. Own ones and, for an agent, those of its direct sub-users.',
  query: z.object({
    ...paging,
    ...changes,
    status: z.enum(TOP_UP_STATUSES).optional().meta({ description: 'Top-ups in this state only' }),
    order_no: OrderNumber.optional().meta({ description: 'Number of the top-up' }),
    start_date: calendarDay.optional().meta({ description: 'YYYY-MM-DD, UTC, inclusive' }),
    end_date: calendarDay.optional().meta({ description: 'YYYY-MM-DD, UTC, inclusive' }),
    user_id: idOfRecord.optional().meta({ description: 'Top-ups of this user only' }),
  }),
  answer: listSchema(TopUpRecord.schema),
  example: {
    query: { status: 'pending' },
    data: new List([topUpExample], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query }, actor) {
    const topUps = await core.topUps.list(actor, {
      page: query.page,
      pageSize: query.pageSize ?? query.page_size,
      status: query.status,
      orderNo: query.order_no,
      startDate: query.start_date,
      endDate: query.end_date,
      userId: query.user_id,
      updatedSince: query.updated_since,
    })
    return new List(
      topUps.items.map((topUp) => toTopUp(topUp, core.now())),
      topUps,
    )
  },
})

/** GET /usdt/orders/{order_no} (rules 5.29). */
export const getTopUp = endpoint({
  name: 'getTopUp',
  method: 'GET',
  path: '/usdt/orders/:order_no',
  params: {
    order_no: { description: 'Number of the top-up, ours or the application’s', example: 'demo-top-up-1' },
  },
  tag: TAG,
  scope: 'read',
  summary: 'A top-up as it stands',
  description:
    'Of the caller or of a direct sub-user. Without a look at the chain, which `checkTopUp` takes.',
  answer: TopUpRecord.schema,
  errors: ['order_not_found'],
  example: { data: topUpExample },
  handle: async ({ core, params }, actor) =>
    toTopUp(await core.topUps.get(actor, params.order_no), core.now()),
})

/** POST /usdt/cancel-order (rules 8.10). */
export const cancelTopUp = endpoint({
  name: 'cancelTopUp',
  method: 'POST',
  path: '/usdt/cancel-order',
  tag: TAG,
  scope: 'top-ups',
  summary: 'Cancel a top-up that awaits its payment',
  description:
    'Repeating it answers the same. A payment that is being confirmed is not cancelled, and one that comes later is still credited.',
  body: Named.refine(isNamed, NOT_NAMED).meta({ id: 'CancelTopUp' }),
  answer: TopUpRecord.schema,
  idempotent: true,
  errors: ['order_not_found', 'payment_in_progress', 'invalid_state', 'idempotency_conflict'],
  example: {
    body: { order_no: 'MY-0003' },
    data: { ...topUpExample, status: 'cancelled', cancelled_at: '2026-11-21T17:59:00.123Z' },
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const topUp = await core.topUps.cancel(actor, numberIn(body) ?? '', idempotencyKey)
    return toTopUp(replayed(topUp), core.now())
  },
})
