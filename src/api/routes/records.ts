import { z } from 'zod'
import { calendarDay, inOrder } from '../../core/calendar-day.ts'
import { ENTRY_TYPES, type EntryType, ORDER_TYPES } from '../../core/ledger/book-entry.ts'
import {
  CONSUMPTION_TYPES,
  FUNDING_TYPES,
  type TransactionPage,
} from '../../core/records/list-transactions.ts'
import { Money } from '../../core/record.ts'
import { toNumber } from '../../core/money.ts'
import { endpoint } from '../endpoint.ts'
import { List, listSchema } from '../envelope.ts'
import type { Language } from '../language.ts'
import { idOfRecord, paging } from '../wire/query.ts'
import { consumptionExample, toTransaction, TransactionRecord, transferExample } from '../wire/transaction.ts'

const Transactions = listSchema(TransactionRecord.schema).extend({
  summary: z
    .strictObject({
      income: Money.schema.meta({ description: 'Sum of the positive amounts' }),
      expense: Money.schema.meta({ description: 'Sum of the negative amounts, as a positive number' }),
    })
    .meta({ description: 'Over all pages of the filter' }),
})

const Text = z.string().max(100).optional()

/** @param types that `type` may name, beside `all` of them */
function transactionQuery<const Types extends readonly EntryType[]>(types: Types) {
  return z
    .object({
      ...paging,
      type: z
        .enum([...types, 'all'])
        .optional()
        .meta({ description: 'Records of this kind only' }),
      order_type: z.enum(ORDER_TYPES).optional().meta({ description: 'Records of such orders only' }),
      start_date: calendarDay.optional().meta({ description: 'YYYY-MM-DD, UTC, inclusive' }),
      end_date: calendarDay.optional().meta({ description: 'YYYY-MM-DD, UTC, inclusive' }),
      username: Text.meta({ description: 'Part of a username' }),
      order_no: Text.meta({ description: 'Number of an order, ours or the application’s' }),
      keyword: Text.meta({ description: 'Part of remark, type, order number or username' }),
      target_user_id: idOfRecord.optional().meta({ description: 'Transactions of this user only' }),
    })
    .refine(({ start_date, end_date }) => inOrder({ startDate: start_date, endDate: end_date }), {
      path: ['end_date'],
      error: 'ends_before_it_starts',
    })
}

type TransactionQuery = z.output<ReturnType<typeof transactionQuery<typeof ENTRY_TYPES>>>

/** @param choices what the list shows without `type`, and with `all` */
function filterOf(
  query: TransactionQuery,
  choices: { readonly usual: readonly EntryType[]; readonly all: readonly EntryType[] },
) {
  const { type } = query
  return {
    page: query.page,
    pageSize: query.pageSize ?? query.page_size,
    types: [...(type === undefined ? choices.usual : type === 'all' ? choices.all : [type])],
    orderType: query.order_type,
    startDate: query.start_date,
    endDate: query.end_date,
    username: query.username,
    orderNo: query.order_no,
    keyword: query.keyword,
    userId: query.target_user_id,
  }
}

function toList(page: TransactionPage, language: Language) {
  const summary = { income: toNumber(page.income), expense: toNumber(page.expense) }
  return new List(
    page.items.map((entry) => toTransaction(entry, language)),
    page,
    { summary },
  )
}

/** GET /open/app/user/transactions (rules 7.2). */
export const listTransactions = endpoint({
  name: 'listTransactions',
  method: 'GET',
  path: '/open/app/user/transactions',
  tag: 'Records',
  scope: 'read',
  summary: 'Consumption records',
  description:
    'Newest first. Own records and, for an agent, those of its direct sub-users. Without `type` consumption, refunds and promotions; ' +
    '`all` shows every kind.',
  query: transactionQuery(ENTRY_TYPES),
  answer: Transactions,
  example: {
    query: { start_date: '2026-11-01', end_date: '2026-11-30', order_type: 'static' },
    data: new List(
      [consumptionExample],
      { total: 1, page: 1, pageSize: 20 },
      { summary: { income: 0, expense: 5 } },
    ),
  },
  async handle({ core, query, language }, actor) {
    const choices = { usual: CONSUMPTION_TYPES, all: ENTRY_TYPES }
    return toList(await core.records.transactions(actor, filterOf(query, choices)), language)
  },
})

/** GET /transaction/agent/transactions (rules 7.2). */
export const listAgentTransactions = endpoint({
  name: 'listAgentTransactions',
  method: 'GET',
  path: '/transaction/agent/transactions',
  tag: 'Records',
  scope: 'read',
  summary: 'Recharge and balance adjustment records',
  description:
    'For agents: what came in, was adjusted, or moved between the agent and its direct sub-users. Newest first.',
  query: transactionQuery(FUNDING_TYPES),
  answer: Transactions,
  errors: ['agent_required'],
  example: {
    query: { target_user_id: 2 },
    data: new List(
      [transferExample],
      { total: 1, page: 1, pageSize: 20 },
      { summary: { income: 50, expense: 0 } },
    ),
  },
  async handle({ core, query, language }, actor) {
    const choices = { usual: FUNDING_TYPES, all: FUNDING_TYPES }
    return toList(await core.records.agentTransactions(actor, filterOf(query, choices)), language)
  },
})
