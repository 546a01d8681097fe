import { z } from 'zod'
import { Prisma, OrderType } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { jsonObject, selectJson } from '../database/database.ts'
import { contains } from '../database/like.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { ENTRY_TYPES, type EntryType } from '../ledger/book-entry.ts'
import type { Micros } from '../money.ts'
import { paging } from '../page.ts'
import { nextTurn } from '../turns.ts'

/** What the two lists of records show (rules 7.2): what was bought, and how money came in and moved. */
export const CONSUMPTION_TYPES = ['consumption', 'refund'] as const satisfies readonly EntryType[]
export const FUNDING_TYPES = [
  'recharge',
  'adjust',
  'transfer_in',
  'transfer_out',
] as const satisfies readonly EntryType[]

export interface Transaction {
  readonly id: number
  readonly transactionNo: string
  readonly userId: number
  readonly username: string
  readonly agentId: number | null
  readonly type: EntryType
  readonly orderType: OrderType | null
  readonly orderNo: string | null
  /** Signed. */
  readonly amount: Micros
  readonly balanceAfter: Micros
  /** The account that caused it; null for the operator. */
  readonly operatorId: number | null
  readonly remark: string
  readonly createdAt: string
}

export interface TransactionPage {
  readonly items: Transaction[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
  /** What came in and what went out over the whole filter; both positive. */
  readonly income: Micros
  readonly expense: Micros
  /**
   * How much of both only went from an agent to its sub-users and back, in a list of all of them: it left nobody and came from
   * nowhere. 0 in a list of one account, and in what was searched for.
   */
  readonly internal: Micros
}

const Search = z.string().trim().max(100).optional()

export const TransactionFilter = z
  .object({
    ...paging,
    types: z.array(z.enum(ENTRY_TYPES)).min(1),
    orderType: z.enum(OrderType).optional(),
    /** Days in UTC, both inclusive. */
    startDate: calendarDay.optional(),
    endDate: calendarDay.optional(),
    /** Part of a username. */
    username: Search,
    /** Number of an order, ours or its application's (rules 4.6). */
    orderNo: z.string().max(100).optional(),
    /** Part of remark, type, order number or username. */
    keyword: Search,
    /** Entries of this account only. */
    userId: z.int().positive().optional(),
  })
  .refine(inOrder, { path: ['end_date'], error: 'ends_before_it_starts' })

type Filter = z.output<typeof TransactionFilter>

/**
 * Entries of the ledger that the actor may see, newest first: its own and, for an agent, those of its direct sub-users
 * (rules 7.2, 7.3). Those of anybody else are not found.
 *
 * @throws validation_error
 */
export async function listTransactions(
  { db }: CoreDeps,
  actor: Actor,
  input: z.input<typeof TransactionFilter>,
): Promise<TransactionPage> {
  const filter = parseInput(TransactionFilter, input)
  const { page, pageSize } = filter
  const [row] = await selectJson<Omit<TransactionPage, 'page' | 'pageSize'>>(
    db.read,
    transactionsQuery(actor, filter),
  )
  return { page, pageSize, ...(row ?? { items: [], total: 0, income: 0, expense: 0, internal: 0 }) }
}

/**
 * Like {@link listTransactions}, for agents only (rules 7.2).
 *
 * @throws agent_required, validation_error
 */
export async function listAgentTransactions(
  deps: CoreDeps,
  actor: Actor,
  input: z.input<typeof TransactionFilter>,
): Promise<TransactionPage> {
  if (actor.role !== 'agent') throw new ServiceError('agent_required')
  return listTransactions(deps, actor, input)
}

/** Entries that one export holds at most: a file of some 2 MB. */
export const EXPORT_LIMIT = 20_000
/** Read at once; in between others get their turn. */
const EXPORT_BATCH = 500

/**
 * All entries of a filter for a file, newest first; the newest {@link EXPORT_LIMIT} where there are more, which `total` tells.
 * What is booked meanwhile is not among them.
 *
 * @throws validation_error
 */
export async function exportTransactions(
  { db }: CoreDeps,
  actor: Actor,
  input: Omit<z.input<typeof TransactionFilter>, 'page' | 'pageSize'>,
): Promise<Pick<TransactionPage, 'items' | 'total'>> {
  const filter = { ...parseInput(TransactionFilter, input), pageSize: EXPORT_BATCH }
  const items: Transaction[] = []
  for (;;) {
    const [row] = await selectJson<Pick<TransactionPage, 'items' | 'total'>>(
      db.read,
      transactionsQuery(actor, filter, items.at(-1)),
    )
    const batch = row?.items ?? []
    items.push(...batch)
    if (batch.length < EXPORT_BATCH) return { items, total: items.length }
    if (items.length >= EXPORT_LIMIT) return { items, total: row?.total ?? items.length }
    await nextTurn()
  }
}

const entryJson = jsonObject({
  id: 'e.id',
  transactionNo: 'e.transaction_no',
  userId: 'e.account_id',
  username: 'a.username',
  agentId: 'a.agent_id',
  type: 'e.type',
  orderType: 'e.order_type',
  orderNo: 'e.order_no',
  amount: 'e.amount',
  balanceAfter: 'e.balance_after',
  operatorId: 'e.operator_id',
  remark: 'e.remark',
  createdAt: 'e.created_at',
})

/**
 * The one statement behind a page. Each type is a walk of its own over the index of the account or the agent, newest first,
 * which SQLite merges and leaves when the page is full; totals come from `ledger_days`. So page 1 reads some 20 entries,
 * however many there are. Only a search for text has to look at every entry of its period.
 *
 * @param after the entry after which the page begins, instead of a number of pages before it
 */
export function transactionsQuery(
  actor: Actor,
  filter: Filter,
  after?: Pick<Transaction, 'id' | 'createdAt'>,
): Prisma.Sql {
  const { page, pageSize, types } = filter
  const where = conditionsOf(actor, filter)
  const older = after ? Prisma.sql`(e.created_at, e.id) < (${after.createdAt}, ${after.id})` : Prisma.sql`1`
  const walk = (columns: Prisma.Sql, condition: Prisma.Sql) =>
    Prisma.join(
      [...new Set(types)].map(
        (type) =>
          Prisma.sql`SELECT ${columns} FROM ledger_entries e WHERE ${where.index} AND e.type = ${type} AND ${where.rest} AND ${condition}`,
      ),
      ' UNION ALL ',
    )
  const summary = where.searches
    ? Prisma.sql`(SELECT count(*) AS total, sum(max(amount, 0)) AS income, sum(max(-amount, 0)) AS expense, 0 AS internal
                  FROM (${walk(Prisma.sql`amount`, Prisma.sql`1`)}))`
    : Prisma.sql`(SELECT sum(entries) AS total, sum(income) AS income, sum(expense) AS expense, ${where.internal} AS internal
                  FROM ledger_days WHERE ${where.days})`
  return Prisma.sql`
    SELECT json_object(
      'total', coalesce(total, 0), 'income', coalesce(income, 0), 'expense', coalesce(expense, 0),
      'internal', coalesce(internal, 0),
      'items', (SELECT json_group_array(${entryJson}) FROM (
                  ${walk(Prisma.sql`e.id AS id, e.created_at AS created_at`, older)}
                  ORDER BY created_at DESC, id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) found
                JOIN ledger_entries e ON e.id = found.id JOIN accounts a ON a.id = e.account_id)) AS json
    FROM ${summary}`
}

interface Conditions {
  /** Whose entries: what an index begins with. */
  readonly index: Prisma.Sql
  readonly rest: Prisma.Sql
  /** The same for `ledger_days`; of no use to `searches`. */
  readonly days: Prisma.Sql
  /** See {@link TransactionPage}, in sums of `ledger_days`. */
  readonly internal: Prisma.Sql
  /** Whether entries must be looked at one by one. */
  readonly searches: boolean
}

function conditionsOf(actor: Actor, filter: Filter): Conditions {
  const { types, userId, orderType, startDate, endDate, username, orderNo, keyword } = filter
  const whose = scopeOf(actor, userId)
  const text = [
    ...(username ? [Prisma.sql`e.account_id IN (${accountsNamed(actor, username)})`] : []),
    ...(orderNo ? [Prisma.sql`e.order_no IN (${ordersNumbered(actor, orderNo)})`] : []),
    ...(keyword
      ? [
          Prisma.sql`(${contains('e.remark', keyword)} OR ${contains('e.type', keyword)} OR ${contains('e.order_no', keyword)}
                      OR e.account_id IN (${accountsNamed(actor, keyword)}))`,
        ]
      : []),
  ]
  const both = orderType ? [Prisma.sql`order_type = ${orderType}`] : []
  const rest = [
    whose.entries.rest,
    ...both,
    ...text,
    ...(startDate ? [Prisma.sql`e.created_at >= ${startDate}`] : []),
    ...(endDate ? [Prisma.sql`e.created_at < ${endOf(endDate)}`] : []),
  ]
  const days = [
    whose.days,
    Prisma.sql`type IN (${Prisma.join(types)})`,
    ...both,
    ...(startDate ? [Prisma.sql`day >= ${startDate}`] : []),
    ...(endDate ? [Prisma.sql`day <= ${endDate}`] : []),
  ]
  return {
    index: whose.entries.index,
    rest: Prisma.join(rest, ' AND '),
    days: Prisma.join(days, ' AND '),
    internal: whose.internal,
    searches: text.length > 0,
  }
}

/** Whose entries the actor wants to see, and may. */
function scopeOf(actor: Actor, userId: number | undefined) {
  const account = (id: number, visible: Prisma.Sql) => ({
    entries: { index: Prisma.sql`e.account_id = ${id}`, rest: visible },
    days: Prisma.sql`viewer_id = ${id} AND sub_users = 0 AND ${visible}`,
    internal: Prisma.sql`0`,
  })
  if (userId === actor.id || (userId === undefined && actor.role === 'user'))
    return account(actor.id, Prisma.sql`1`)
  if (userId !== undefined)
    return account(
      userId,
      Prisma.sql`EXISTS (SELECT 1 FROM accounts t WHERE t.id = ${userId} AND t.agent_id = ${actor.id})`,
    )
  return {
    entries: { index: Prisma.sql`e.scope_id = ${actor.id}`, rest: Prisma.sql`1` },
    days: Prisma.sql`viewer_id = ${actor.id}`,
    internal: Prisma.sql`min(sum(income) FILTER (WHERE type = 'transfer_in'), sum(expense) FILTER (WHERE type = 'transfer_out'))`,
  }
}

/** Accounts with this text in their name, among those that the actor may see. */
function accountsNamed(actor: Actor, text: string): Prisma.Sql {
  return Prisma.sql`SELECT id FROM accounts WHERE (id = ${actor.id} OR agent_id = ${actor.id}) AND ${contains('username', text)}`
}

/** Numbers of orders that are found by a number: their own, or the one that who placed them gave them. */
function ordersNumbered(actor: Actor, number: string): Prisma.Sql {
  const placed = (table: string) =>
    Prisma.sql`SELECT order_no FROM ${Prisma.raw(table)} WHERE app_order_no = ${number}
      AND caller_id IN (SELECT id FROM accounts WHERE id IN (${actor.id}, ${actor.agentId}) OR agent_id = ${actor.id})`
  return Prisma.sql`SELECT ${number} UNION ALL ${placed('static_orders')} UNION ALL ${placed('dynamic_orders')}`
}
