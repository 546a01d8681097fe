import { z } from 'zod'
import { calendarDay, inOrder } from '../../core/calendar-day.ts'
import { EARNINGS_REPORT } from '../../core/earnings/earnings-report.ts'
import {
  EARNING_ENTRY_EXAMPLE,
  EARNING_KINDS,
  EarningEntryRecord,
} from '../../core/earnings/list-earnings.ts'
import { MovedEarningsRecord, MoveInput } from '../../core/earnings/move-earnings.ts'
import { Money, record } from '../../core/record.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import { idOfRecord, paging } from '../wire/query.ts'

const TAG = 'Earnings'
const PATH = '/open/app/agent/earnings'

const period = {
  start_date: calendarDay.optional().meta({ description: 'YYYY-MM-DD, UTC, inclusive' }),
  end_date: calendarDay.optional().meta({ description: 'YYYY-MM-DD, UTC, inclusive' }),
}
type Period = { readonly [Name in keyof typeof period]?: string | undefined }
const isPeriod = ({ start_date, end_date }: Period) => inOrder({ startDate: start_date, endDate: end_date })
const NO_PERIOD = { path: ['end_date'], error: 'ends_before_it_starts' }

const { balance, ...ofPeriod } = EARNINGS_REPORT
const EarningsRecord = record(
  {
    balance,
    payoutMin: Money.nullable().meta({
      description: 'The least amount of a payout; null: nothing is paid out',
    }),
    ...ofPeriod,
  },
  { id: 'Earnings' },
)
const figures = { earned: 7_200_000, takenBack: 0, sales: 1 }

/** GET /open/app/agent/earnings (rules 13.7). */
export const getEarnings = endpoint({
  name: 'getEarnings',
  method: 'GET',
  path: PATH,
  tag: TAG,
  scope: 'read',
  summary: 'What the agent has earned',
  description:
    'What there is now, and what was earned by day, product and sub-user; without dates in the last 30 days. What refunds took back ' +
    'counts on the day of the refund.',
  query: z.object(period).refine(isPeriod, NO_PERIOD),
  answer: EarningsRecord.schema,
  errors: ['agent_required'],
  example: {
    query: { start_date: '2026-11-01', end_date: '2026-11-30' },
    data: EarningsRecord.show({
      balance: { pending: 0, available: 7_200_000, payable: 7_200_000, owed: 0 },
      payoutMin: 10_000_000,
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      total: figures,
      days: [{ day: '2026-11-20', ...figures }],
      products: [{ productNo: 'DYN-1', ...figures }],
      users: [{ userId: 2, username: 'customer', ...figures }],
    }),
  },
  async handle({ core, query }, actor) {
    const { start_date: startDate, end_date: endDate } = query
    const report = await core.earnings.report(actor, { startDate, endDate })
    return EarningsRecord.show({ ...report, payoutMin: core.earnings.payoutTerms?.min ?? null })
  },
})

/** GET /open/app/agent/earnings/entries (rules 13.7). */
export const listEarnings = endpoint({
  name: 'listEarnings',
  method: 'GET',
  path: `${PATH}/entries`,
  tag: TAG,
  scope: 'read',
  summary: 'Changes of what the agent has earned',
  description: 'Newest first.',
  query: z
    .object({
      ...paging,
      ...period,
      kind: z.enum(EARNING_KINDS).optional().meta({ description: 'Changes of this kind only' }),
      user_id: idOfRecord.optional().meta({ description: 'By this sub-user only' }),
    })
    .refine(isPeriod, NO_PERIOD),
  answer: listSchema(EarningEntryRecord.schema),
  errors: ['agent_required'],
  example: {
    query: { kind: 'earned' },
    data: new List([EarningEntryRecord.show(EARNING_ENTRY_EXAMPLE)], { total: 1, page: 1, pageSize: 20 }),
  },
  async handle({ core, query }, actor) {
    const { page, pageSize = query.page_size, kind, user_id: userId } = query
    const { start_date: startDate, end_date: endDate } = query
    const filter = { page, pageSize, kind, userId, startDate, endDate }
    const entries = await core.earnings.list(actor, filter)
    return new List(entries.items.map(EarningEntryRecord.show), entries)
  },
})

/** POST /open/app/agent/earnings/move (rules 13.5). */
export const moveEarnings = endpoint({
  name: 'moveEarnings',
  method: 'POST',
  path: `${PATH}/move`,
  tag: TAG,
  scope: 'sub-users',
  summary: 'Move available earnings to the balance',
  description:
    '`insufficient_balance` is about what is available. What cannot be paid out is moved first (rules 13.5).',
  body: z
    .object({ amount: MoveInput.shape.amount.meta({ description: 'At most what is available' }) })
    .meta({ id: 'MoveEarnings' }),
  answer: MovedEarningsRecord.schema,
  idempotent: true,
  errors: ['agent_required', 'insufficient_balance', 'idempotency_conflict'],
  example: {
    body: { amount: 2.5 },
    data: {
      transaction_no: 'T20261120175700123K7M2P9QX',
      balance: 1002.5,
      earnings: { pending: 0, available: 4.7, payable: 4.7, owed: 0 },
    },
  },
  async handle({ core, body, idempotencyKey, replayed }, actor) {
    const input = { amount: body.amount, requestKey: idempotencyKey }
    return MovedEarningsRecord.show(replayed(await core.earnings.toBalance(actor, input)))
  },
})
