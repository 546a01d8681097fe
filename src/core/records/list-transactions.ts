import { type AliasedExpression, type Expression, type ExpressionBuilder, expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import type { OrderType } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { compiledByShape, type Placeholders } from '../database/compiled.ts'
import { greatest, least, literal, matches, textPart, patternOf, rowsAsJson } from '../database/dialect.ts'
import type { Queries, Queryable } from '../database/queries.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { ENTRY_TYPES, type EntryType, ORDER_TYPES } from '../ledger/book-entry.ts'
import type { SystemRemark } from '../ledger/system-remarks.ts'
import type { Micros } from '../money.ts'
import { paging } from '../page.ts'
import { type Held, Money, Time } from '../record.ts'
import { nextTurn } from '../turns.ts'
import { EXPORT_LIMIT } from '../csv.ts'
import type { Essentials } from '../jobs/essentials.ts'

/**
 * Types of the two lists of records (rules 7.2). Consumption: purchases with their refunds, and what an agent's balance pays of its
 * sub-users' purchases. Funding: money that came in or was moved.
 */
export const CONSUMPTION_TYPES = [
  'consumption',
  'refund',
  'promotion',
] as const satisfies readonly EntryType[]
export const FUNDING_TYPES = [
  'recharge',
  'adjust',
  'transfer_in',
  'transfer_out',
] as const satisfies readonly EntryType[]

/** Fields shown of one change of one balance (rules 7.1). */
export const TRANSACTION = {
  id: z.int(),
  transactionNo: z.string(),
  userId: z.int().meta({ description: 'Whose balance it is' }),
  username: z.string(),
  agentId: z.int().nullable().meta({ description: "The user's agent" }),
  type: z.enum(ENTRY_TYPES).meta({
    description:
      'Why the balance changed; `promotion`: what the balance of an agent paid of the purchase of a sub-user with its promotion ' +
      'code, or got back of that',
  }),
  orderType: z.enum(ORDER_TYPES).nullable(),
  orderNo: z.string().nullable(),
  amount: Money.meta({ description: 'Signed change of the balance' }),
  balanceAfter: Money,
  operatorId: z
    .int()
    .nullable()
    .meta({ description: 'The account that caused it; null for the operator of the service' }),
  /** As a person wrote it, or that of the service in English. */
  remark: z.string().meta({
    description:
      'As it was sent with the order or adjustment, or why it was cancelled; what the service itself remarks is in the language of the answer',
  }),
  createdAt: Time,
}

export interface Transaction extends Held<typeof TRANSACTION> {
  /** Kind of a remark of the service; null when a person wrote it. */
  readonly remarkKind: SystemRemark | null
  /** Number of the renewal that a remark of the service is about. */
  readonly renewOrderNo: string | null
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
   * Part of both that was only moved between an agent and its sub-users, in a list of the whole group: it is neither income nor
   * expense of the group. 0 in a list of one account, and in a search.
   */
  readonly internal: Micros
}

const Search = z.string().trim().max(100).optional()

export const TransactionFilter = z
  .object({
    ...paging,
    types: z.array(z.enum(ENTRY_TYPES)).min(1),
    orderType: z.enum(ORDER_TYPES).optional(),
    /** Days in UTC, both inclusive. */
    startDate: calendarDay.optional(),
    endDate: calendarDay.optional(),
    /** Part of a username. */
    username: Search,
    /** Order number or application order number (rules 4.6). */
    orderNo: z.string().max(100).optional(),
    /** Part of remark, type, order number or username. */
    keyword: Search,
    /** Entries of this account only. */
    userId: z.int().positive().optional(),
  })
  .refine(inOrder, { path: ['end_date'], error: 'ends_before_it_starts' })

type Filter = z.output<typeof TransactionFilter>

/**
 * Lists the entries of the ledger that the actor may see, newest first: its own and, for an agent, those of its direct sub-users
 * (rules 7.2, 7.3). Those of anybody else are not found.
 *
 * @throws validation_error
 */
export async function listTransactions(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof TransactionFilter>,
): Promise<TransactionPage> {
  const filter = parseInput(TransactionFilter, input)
  const { page, pageSize } = filter
  const { items, total, income, expense, internal } = await readPage(db.read, actor, filter)
  return { items, total, page, pageSize, income, expense, internal }
}

/**
 * Like {@link listTransactions}, for agents only (rules 7.2).
 *
 * @throws agent_required, validation_error
 */
export async function listAgentTransactions(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof TransactionFilter>,
): Promise<TransactionPage> {
  if (actor.role !== 'agent') throw new ServiceError('agent_required')
  return listTransactions(deps, actor, input)
}

/** Entries per statement of an export; other requests are served between the statements. */
const EXPORT_BATCH = 500

/**
 * Reads all entries of a filter for a file, newest first; where there are more than {@link EXPORT_LIMIT}, the newest ones, and `total`
 * counts all. Entries that are booked during the export are not included.
 *
 * @throws validation_error
 */
export async function exportTransactions(
  { db }: Essentials,
  actor: Actor,
  input: Omit<z.input<typeof TransactionFilter>, 'page' | 'pageSize'>,
): Promise<Pick<TransactionPage, 'items' | 'total'>> {
  const filter = { ...parseInput(TransactionFilter, input), pageSize: EXPORT_BATCH }
  const items: Transaction[] = []
  for (;;) {
    const { items: batch, total } = await readPage(db.read, actor, filter, items.at(-1))
    items.push(...batch)
    if (batch.length < EXPORT_BATCH) return { items, total: items.length }
    if (items.length >= EXPORT_LIMIT) return { items, total }
    await nextTurn()
  }
}

/**
 * Reads a page with one statement. Each type is a separate scan of the index of the account or the agent, newest first; SQLite
 * merges the scans and stops when the page is full. Totals come from `ledgerDays`. So page 1 reads about 20 entries, however many
 * there are. Only a search reads every entry of its period.
 *
 * @param after the entry after which the page begins, instead of an offset
 */
async function readPage(
  db: Queryable,
  actor: Actor,
  filter: Filter,
  after?: Pick<Transaction, 'id' | 'createdAt'>,
) {
  const { page, pageSize, types, userId, orderType, startDate, endDate, username, orderNo, keyword } = filter
  const scope = scopeOf(actor, userId)
  const shape = { types: [...new Set(types)].toSorted(), scope }
  const [found] = await findPage(db, shape, {
    actorId: actor.id,
    ownAgentId: actor.agentId,
    accountId: userId ?? actor.id,
    orderType,
    from: startDate,
    until: endDate,
    before: endDate && endOf(endDate),
    namePattern: username ? patternOf(username) : undefined,
    orderNo: orderNo || undefined,
    keywordPattern: keyword ? patternOf(keyword) : undefined,
    afterTime: after?.createdAt,
    afterId: after?.id,
    pageSize,
    offset: (page - 1) * pageSize,
  })
  if (!found) throw new Error('sums have a row')
  return { ...found, items: found.items.toSorted(newestFirst) }
}

function newestFirst(a: Transaction, b: Transaction): number {
  return a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id
}

/** Accounts whose entries are read: the actor, one sub-user, or the actor and all its sub-users. */
type Scope = 'own' | 'subUser' | 'all'

function scopeOf(actor: Actor, userId: number | undefined): Scope {
  if (userId === actor.id || (userId === undefined && actor.role === 'user')) return 'own'
  return userId === undefined ? 'all' : 'subUser'
}

interface Shape {
  readonly types: readonly EntryType[]
  readonly scope: Scope
}

interface Values {
  readonly actorId: number
  readonly ownAgentId: number | null
  /** Not used when the scope is `all`. */
  readonly accountId: number
  readonly orderType?: OrderType | undefined
  /** First and last day, both included; `before` is the end of the last one as a time. */
  readonly from?: string | undefined
  readonly until?: string | undefined
  readonly before?: string | undefined
  readonly namePattern?: string | null | undefined
  readonly orderNo?: string | undefined
  readonly keywordPattern?: string | null | undefined
  readonly afterTime?: string | undefined
  readonly afterId?: number | undefined
  readonly pageSize: number
  readonly offset: number
}
type Wanted = Placeholders<Values>

const findPage = compiledByShape<Shape, Values>()((db, shape, wanted) => {
  const { afterTime, afterId, pageSize, offset } = wanted
  const scan = (type: EntryType) =>
    db
      .selectFrom('ledgerEntries as e')
      .where(isInScope(shape.scope, wanted))
      .where('e.type', '=', type)
      .where(isWanted(wanted))
  const searches = wanted.namePattern ?? wanted.orderNo ?? wanted.keywordPattern
  const sums: AliasedExpression<Sums, 'sums'> = searches
    ? db
        .selectFrom(
          shape.types
            .map((type) => scan(type).select('e.amount'))
            .reduce((all, next) => all.unionAll(next))
            .as('found'),
        )
        .select(({ fn, lit, neg, ref }) => [
          fn.countAll<number>().as('total'),
          fn.sum<Sum>(greatest(ref('amount'), lit(0))).as('income'),
          fn.sum<Sum>(greatest(neg(ref('amount')), lit(0))).as('expense'),
          literal<number>(0).as('internal'),
        ])
        .as('sums')
    : sumsOfDays(db, shape, wanted).as('sums')
  const entries = shape.types
    .map((type) =>
      scan(type)
        .select(['e.id', 'e.createdAt'])
        .where(({ eb, and, refTuple, tuple }) =>
          and(
            afterTime && afterId ? [eb(refTuple('e.createdAt', 'e.id'), '<', tuple(afterTime, afterId))] : [],
          ),
        ),
    )
    .reduce((all, next) => all.unionAll(next))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(offset)
  const items = db
    .selectFrom(entries.as('found'))
    .innerJoin('ledgerEntries as e', 'e.id', 'found.id')
    .innerJoin('accounts as a', 'a.id', 'e.accountId')
    .select(['e.id', 'e.transactionNo', 'e.accountId as userId', 'a.username', 'a.agentId', 'e.type'])
    .select([
      'e.orderType',
      'e.orderNo',
      'e.amount',
      'e.balanceAfter',
      'e.operatorId',
      'e.remark',
      'e.remarkKind',
      'e.createdAt',
    ])
    .select(({ eb, ref }) =>
      eb
        .case()
        .when('e.remarkKind', 'is', null)
        .then(null)
        .when('e.source', 'like', 'renewal:%')
        .then(textPart(ref('e.source'), 'renewal:'.length + 1))
        .when('e.source', 'like', 'renewal-refund:%')
        .then(textPart(ref('e.source'), 'renewal-refund:'.length + 1))
        .end()
        .as('renewOrderNo'),
    )
  return db
    .selectFrom(sums)
    .select(({ fn, lit }) => [
      fn.coalesce('sums.total', lit(0)).as('total'),
      fn.coalesce('sums.income', lit(0)).as('income'),
      fn.coalesce('sums.expense', lit(0)).as('expense'),
      'sums.internal',
      rowsAsJson(items, 'id desc').as('items'),
    ])
})

/** A sum over no rows is null. */
type Sum = number | null

interface Sums {
  readonly total: Sum
  readonly income: Sum
  readonly expense: Sum
  readonly internal: number
}

/** Selects the totals from the daily sums, for a page without a search. */
function sumsOfDays(
  db: Queries,
  { types, scope }: Shape,
  { actorId, accountId, orderType, from, until }: Wanted,
) {
  return db
    .selectFrom('ledgerDays')
    .select(({ fn, lit }) => {
      const given = fn.sum<number>('income').filterWhere('type', '=', 'transfer_in')
      const takenBack = fn.sum<number>('expense').filterWhere('type', '=', 'transfer_out')
      return [
        fn.sum<Sum>('entries').as('total'),
        fn.sum<Sum>('income').as('income'),
        fn.sum<Sum>('expense').as('expense'),
        (scope === 'all'
          ? least(fn.coalesce(given, lit(0)), fn.coalesce(takenBack, lit(0)))
          : literal<number>(0)
        ).as('internal'),
      ]
    })
    .where(({ eb, and }) =>
      and([
        ...(scope === 'all'
          ? [eb('viewerId', '=', actorId)]
          : [eb('viewerId', '=', accountId), eb('subUsers', '=', false)]),
        ...(scope === 'subUser' ? [isSubUser(accountId, actorId)] : []),
        eb('type', 'in', types),
        ...(orderType ? [eb('orderType', '=', orderType)] : []),
        ...(from ? [eb('day', '>=', from)] : []),
        ...(until ? [eb('day', '<=', until)] : []),
      ]),
    )
}

type Entry = ExpressionBuilder<DB & { e: DB['ledgerEntries'] }, 'e'>

/** Condition: the entry is in the scope, and the actor may see it. */
function isInScope(scope: Scope, { actorId, accountId }: Wanted) {
  return ({ eb, and }: Entry) =>
    scope === 'all'
      ? eb('e.scopeId', '=', actorId)
      : and([
          eb('e.accountId', '=', accountId),
          ...(scope === 'subUser' ? [isSubUser(accountId, actorId)] : []),
        ])
}

function isSubUser(accountId: Expression<number>, actorId: Expression<number>) {
  const { exists, selectFrom } = expressionBuilder<DB>()
  return exists(
    selectFrom('accounts').select('id').where('id', '=', accountId).where('agentId', '=', actorId),
  )
}

/** Condition: the entry matches the filter and the search. */
function isWanted(wanted: Wanted) {
  const { actorId, orderType, from, before, namePattern, orderNo, keywordPattern } = wanted
  return ({ eb, ref, and, or }: Entry) =>
    and([
      ...(orderType ? [eb('e.orderType', '=', orderType)] : []),
      ...(namePattern ? [eb('e.accountId', 'in', accountsNamed(actorId, namePattern))] : []),
      ...(orderNo
        ? [or([eb('e.orderNo', '=', orderNo), eb('e.orderNo', 'in', ordersNumbered(wanted, orderNo))])]
        : []),
      ...(keywordPattern
        ? [
            or([
              matches(ref('e.remark'), keywordPattern),
              matches(ref('e.type'), keywordPattern),
              matches(ref('e.orderNo'), keywordPattern),
              eb('e.accountId', 'in', accountsNamed(actorId, keywordPattern)),
            ]),
          ]
        : []),
      ...(from ? [eb('e.createdAt', '>=', from)] : []),
      ...(before ? [eb('e.createdAt', '<', before)] : []),
    ])
}

/** Selects the ids of the accounts with this text in their username, among those that the actor may see. */
function accountsNamed(actorId: Expression<number>, pattern: Expression<string | null>) {
  const { selectFrom } = expressionBuilder<DB>()
  return selectFrom('accounts')
    .select('id')
    .where(({ eb, or }) => or([eb('id', '=', actorId), eb('agentId', '=', actorId)]))
    .where(({ ref }) => matches(ref('username'), pattern))
}

/** Selects the numbers of the orders with this application order number, placed by the actor, its agent or its sub-users. */
function ordersNumbered({ actorId, ownAgentId }: Wanted, number: Expression<string>) {
  const { selectFrom } = expressionBuilder<DB>()
  const placers = selectFrom('accounts')
    .select('id')
    .where(({ eb, or }) =>
      or([eb('id', '=', actorId), eb('id', '=', ownAgentId), eb('agentId', '=', actorId)]),
    )
  return selectFrom('staticOrders')
    .select('orderNo')
    .where('appOrderNo', '=', number)
    .where('callerId', 'in', placers)
    .unionAll(
      selectFrom('dynamicOrders')
        .select('orderNo')
        .where('appOrderNo', '=', number)
        .where('callerId', 'in', placers),
    )
}
