import { z } from 'zod'
import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { TopUpStatus } from '../../generated/prisma/enums.ts'
import { type Actor, maySee } from '../access/actor.ts'
import { calendarDay, endOf, inOrder } from '../calendar-day.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { allOf, rowsAsJson, type ValueOf } from '../database/dialect.ts'
import type { Queries } from '../database/queries.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { type Page, paging } from '../page.ts'
import { type Held, Money, Time, UsdtText } from '../record.ts'
import type { Transaction } from './transfer-names.ts'
import { UpdatedSince } from '../updated-since.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const TOP_UP_STATUSES = Object.values(TopUpStatus)
export type { TopUpStatus }

/** Fields shown of a top-up as it stands (rules 8.6). */
export const TOP_UP = {
  orderNo: z.string(),
  clientOrderNo: z.string().nullable(),
  userId: z.int(),
  username: z.string(),
  amount: UsdtText.meta({ description: 'USDT that was asked for' }),
  payAmount: UsdtText.meta({
    description: 'USDT that must arrive, exactly: the tail tells this payment from all others',
  }),
  /** Id of the network over which it is paid. */
  network: z.string(),
  wallet: z.string(),
  contract: z.string(),
  /** As it was at the creation. */
  rate: Money.meta({ description: 'Account currency per USDT' }),
  creditAmount: Money.meta({ description: 'What the payment adds, or has added, to the balance' }),
  status: z
    .enum(TOP_UP_STATUSES)
    .meta({ description: '`confirming`: the payment was seen; `paid`: it is irreversible and credited' }),
  txid: z.string().nullable().meta({ description: 'Of the payment, as soon as it was seen' }),
  /** Who paid, once the payment is irreversible. */
  fromAddress: z.string().nullable(),
  /** Sum of all payments. */
  paidAmount: UsdtText.meta({ description: 'USDT, at most 6 decimals' })
    .nullable()
    .meta({ description: 'USDT received' }),
  late: z.boolean().meta({ description: 'Paid after the expiry or the cancellation' }),
  createdAt: Time,
  expiresAt: Time,
  paidAt: Time.nullable(),
  cancelledAt: Time.nullable(),
  updatedAt: Time,
}

export interface TopUp extends Held<typeof TOP_UP> {
  readonly id: number
  /** Time of the block of the payment, as soon as it was seen. */
  readonly blockTime: string | null
  /** Callback data with which the chat continues after the payment. */
  readonly reference: string | null
  /** Last block time at which a payment is credited automatically. */
  readonly matchUntil: string
}

/** Query for {@link TopUp}s; the top-up is `t`, the payment `p` is the first of its transfers. */
function topUps(db: Pick<Queries, 'selectFrom'>) {
  return db
    .selectFrom('topUps as t')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .leftJoin('usdtTransfers as p', (on) =>
      on.on('p.id', '=', ({ selectFrom }) =>
        selectFrom('usdtTransfers')
          .select(({ fn }) => fn.min('id').as('first'))
          .whereRef('topUpId', '=', 't.id'),
      ),
    )
    .select(['t.id', 't.orderNo', 't.clientOrderNo', 't.userId', 'u.username', 't.network'])
    .select(['t.wallet', 't.contract'])
    .select(['t.amountUnits as amount', 't.payUnits as payAmount', 't.rate', 't.creditAmount', 't.status'])
    .select(['t.late', 'p.fromAddress', 't.reference', 't.createdAt', 't.expiresAt', 't.matchUntil'])
    .select(['t.paidAt', 't.cancelledAt', 't.updatedAt'])
    .select(({ fn, selectFrom }) => [
      fn.coalesce('p.txid', 't.seenTxid').as('txid'),
      fn
        .coalesce(
          'p.blockTime',
          selectFrom('listedTransactions as c')
            .select('c.blockTime')
            .whereRef('c.network', '=', 't.network')
            .whereRef('c.txid', '=', 't.seenTxid')
            .where('t.status', '=', 'confirming'),
        )
        .as('blockTime'),
      selectFrom('usdtTransfers as x')
        .select(({ fn, cast }) => fn.sum<number>(cast<number>('x.units', 'bigint')).as('units'))
        .whereRef('x.topUpId', '=', 't.id')
        .as('paidAmount'),
    ])
}

export const TopUpFilter = z
  .object({
    ...paging,
    status: z.enum(TOP_UP_STATUSES).optional(),
    orderNo: z.string().max(64).optional(),
    userId: z.int().positive().optional(),
    /** Transaction of a payment, as soon as it was seen, on each network that may have it. */
    paidBy: z.array(z.object({ network: z.string(), txid: z.string() })).optional(),
    /** Both days included. */
    startDate: calendarDay.optional(),
    endDate: calendarDay.optional(),
    updatedSince: UpdatedSince.optional(),
  })
  .refine(inOrder, { path: ['end_date'], error: 'ends_before_it_starts' })

/** Lists the top-ups that the actor may see, newest first: its own and, for an agent, those of its direct sub-users (rules 8.13). */
export function listTopUps(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof TopUpFilter> = {},
): Promise<Page<TopUp>> {
  return listed(deps, actor, input)
}

/** Lists the top-ups of all accounts, newest first, for the operator. */
export function listAllTopUps(
  deps: Essentials,
  input: z.input<typeof TopUpFilter> = {},
): Promise<Page<TopUp>> {
  return listed(deps, undefined, input)
}

async function listed(
  { db }: Essentials,
  actor: Actor | undefined,
  input: z.input<typeof TopUpFilter>,
): Promise<Page<TopUp>> {
  const { page, pageSize, ...filter } = parseInput(TopUpFilter, input)
  const wanted = matching(actor, filter)
  const { $kysely } = db.read
  const items = topUps($kysely)
    .where(wanted)
    .orderBy('t.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  // One statement for count and rows: they belong to the same moment.
  const found = await $kysely
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('topUps as t').select(fn.countAll<number>().as('total')).where(wanted).as('total'),
      rowsAsJson(items, 'id desc', { late: true }).as('items'),
    ])
    .executeTakeFirstOrThrow()
  return { items: found.items, total: found.total ?? 0, page, pageSize }
}

/** For conditions on top-ups as `t`, outside of a query. */
const { eb, ref, or, and } = expressionBuilder<DB & { t: DB['topUps'] }, 't'>()

/** Condition: the top-up passes the filter, and the actor, if one asks, may see it. */
function matching(
  actor: Actor | undefined,
  {
    status,
    orderNo,
    userId,
    paidBy,
    startDate,
    endDate,
    updatedSince,
  }: Omit<z.output<typeof TopUpFilter>, 'page' | 'pageSize'>,
) {
  return allOf([
    ...(actor ? [maySee(actor, ref('t.userId'))] : []),
    ...(userId ? [eb('t.userId', '=', userId)] : []),
    ...(status ? [eb('t.status', '=', status)] : []),
    ...(orderNo ? [hasNumber(actor?.id ?? 0, orderNo)] : []),
    ...(paidBy ? [or(paidBy.map(hasPayment))] : []),
    ...(startDate ? [eb('t.createdAt', '>=', startDate)] : []),
    ...(endDate ? [eb('t.createdAt', '<', endOf(endDate))] : []),
    ...(updatedSince ? [eb('t.updatedAt', '>=', updatedSince)] : []),
  ])
}

/** Condition: this transaction has paid the top-up, or is about to. */
function hasPayment({ network, txid }: Transaction) {
  const paid = eb
    .selectFrom('usdtTransfers as x')
    .select('x.topUpId')
    .where('x.network', '=', network)
    .where('x.txid', '=', txid)
  const seen = and([eb('t.network', '=', network), eb('t.seenTxid', '=', txid)])
  return or([eb('t.id', 'in', paid.$castTo<{ topUpId: number }>()), seen])
}

/** Condition: this is the number of the top-up, or the one that the actor gave it (rules 4.3). */
function hasNumber(actorId: ValueOf<number>, orderNo: ValueOf<string>) {
  const own = and([eb('t.userId', '=', actorId), eb('t.clientOrderNo', '=', orderNo)])
  return or([eb('t.orderNo', '=', orderNo), own])
}

/**
 * Returns one top-up.
 *
 * @param orderNo its number, or the one that the actor gave it (rules 4.3)
 * @throws order_not_found, also when it is somebody else's
 */
export async function getTopUp({ db }: Essentials, actor: Actor, orderNo: string): Promise<TopUp> {
  const [topUp] = await findByNumber(db.read, { role: actor.role }, { actorId: actor.id, orderNo })
  if (!topUp) throw new ServiceError('order_not_found')
  return topUp
}

const findByNumber = compiledByShape<Pick<Actor, 'role'>, { actorId: number; orderNo: string }>()(
  (db, { role }, { actorId, orderNo }) =>
    topUps(db)
      .where(hasNumber(actorId, orderNo))
      .where(maySee({ role, id: actorId }, ref('t.userId')))
      .orderBy(eb('t.orderNo', '=', orderNo), 'desc')
      .limit(1),
)

/** Returns the top-up that a caller made under its own number; undefined when there is none. */
export async function topUpOfClient(
  db: Readable,
  userId: number,
  clientOrderNo: string,
): Promise<TopUp | undefined> {
  const [topUp] = await findOfClient(db, { userId, clientOrderNo })
  return topUp
}

/** Returns any top-up, for the operator; undefined when there is none with this number. */
export async function topUpOfNumber({ db }: Essentials, orderNo: string): Promise<TopUp | undefined> {
  const [topUp] = await findOfNumber(db.read, { orderNo })
  return topUp
}

/** Reads a top-up that is known to exist. */
export async function readTopUp(db: Readable, orderNo: string): Promise<TopUp> {
  const [topUp] = await findOfNumber(db, { orderNo })
  if (!topUp) throw new Error(`top-up ${orderNo} does not exist`)
  return topUp
}

const findOfNumber = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  topUps(db).where('t.orderNo', '=', orderNo),
)

const findOfClient = compiled<{ userId: number; clientOrderNo: string }>()((db, { userId, clientOrderNo }) =>
  topUps(db).where('t.userId', '=', userId).where('t.clientOrderNo', '=', clientOrderNo),
)
