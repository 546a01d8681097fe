import type { Expression, ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import { type Actor, directSubUser } from '../access/actor.ts'
import { leftInPool } from '../accounts/balance.ts'
import { dayOf } from '../calendar-day.ts'
import { compiled } from '../database/compiled.ts'
import { rowsAsJson } from '../database/dialect.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { DYNAMIC_ORDER_STATUSES, type DynamicOrderStatus } from '../orders/list-dynamic-orders.ts'
import { expiresSoon, soonFrom } from '../orders/list-static-orders.ts'
import { ORDER_STATUSES, type OrderStatus } from '../orders/static-order.ts'
import type { Bytes } from '../bytes.ts'
import { bytesLeft } from '../traffic/traffic-left.ts'
import { CONSUMPTION_TYPES } from './list-transactions.ts'
import { daysOfPeriod, LAST_DAYS } from '../periods.ts'
import { type Held, Money, record, Shown, Traffic } from '../record.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { NAMES } from '../catalog/product-texts.ts'
import { TranslationsRecord } from '../translations.ts'

const DAY_MS = 24 * 60 * 60_000

const Count = z.int().min(0)

const DAY = {
  date: z.iso.date(),
  orders: Count.meta({ description: 'Orders and renewals paid for on that day' }),
  amount: Money.meta({ description: 'Spent less refunded on that day' }),
}
export type DayFigures = Held<typeof DAY>
const DayRecord = record(DAY)
/** What was spent day by day. */
export const DailyStats = new Shown(
  DayRecord.schema
    .array()
    .length(LAST_DAYS)
    .meta({ description: `The last ${LAST_DAYS} days in UTC, oldest first, today last` }),
  DayRecord.array().show,
)
export const ExpiringSoon = Count.meta({ description: 'Proxies that expire within 7 days' })

/** Fields shown of the traffic that was bought of one product. */
export const TRAFFIC_RESOURCE = {
  title: z.string(),
  names: TranslationsRecord,
  productNo: z.string(),
  totalBytes: Traffic.meta({ description: 'GB bought' }),
  usedBytes: Traffic,
  remainingBytes: Traffic.meta({ description: 'Neither used nor handed to sub-accounts' }),
  percentage: z.number().min(0).max(100).meta({ description: 'Used, with at most 2 decimals' }),
}

/** Fields shown of the proxies of one product. */
export const PROXY_RESOURCE = {
  title: z.string(),
  names: TranslationsRecord,
  productNo: z.string(),
  total: Count.meta({ description: 'All proxies ever delivered, released ones included' }),
  active: Count,
  expired: Count,
}

/** Fields shown of the direct sub-users of an agent. */
export const SUB_USER_FIGURES = {
  total: Count.meta({ description: 'Without deleted ones' }),
  active: Count,
  disabled: Count,
  balance: Money.meta({ description: 'Sum of their balances' }),
  totalRecharge: Money.meta({
    description: 'Of deleted ones too, as all that follows but `expiring_soon`',
  }),
  totalConsumption: Money,
  monthConsumption: Money,
  lastMonthConsumption: Money,
  dailyStats: DailyStats,
  expiringSoon: ExpiringSoon,
}
export type SubUserFigures = Held<typeof SUB_USER_FIGURES>

/** What an account has, has spent and is using (rules 7.4). */
export interface Dashboard {
  readonly balance: Micros
  /** Traffic left in pool dynamic_1 (shown as lumi_balance) and dynamic_3 (dyn3_balance). */
  readonly dynamic1Bytes: Bytes
  readonly dynamic3Bytes: Bytes
  readonly currency: string
  /** Months are calendar months in UTC. Consumption is what was spent less what was refunded in the period. */
  readonly statistics: {
    readonly totalRecharge: Micros
    readonly totalConsumption: Micros
    readonly monthRecharge: Micros
    readonly monthConsumption: Micros
    readonly lastMonthConsumption: Micros
  }
  readonly dynamicResources: readonly Omit<Held<typeof TRAFFIC_RESOURCE>, 'title' | 'percentage'>[]
  readonly staticResources: readonly Omit<Held<typeof PROXY_RESOURCE>, 'title'>[]
  /** Oldest day first; days without orders are included. */
  readonly dailyStats: readonly DayFigures[]
  readonly orders: {
    readonly static: Readonly<Record<OrderStatus | 'total', number>>
    readonly dynamic: Readonly<Record<DynamicOrderStatus | 'total', number>>
  }
  /** Of an agent: its direct sub-users. Deleted ones count only in the sums of recharge and consumption. */
  readonly subUsers: SubUserFigures | null
  /** Proxies that expire within a week. */
  readonly expiringSoon: number
}

/**
 * Reads the overview of an account: the actor's own, or that of a direct sub-user (rules 7.4), in one statement, so that all figures
 * belong to the same moment.
 *
 * @param userId the account; by default the actor's own
 * @throws agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function dashboard(deps: Essentials, actor: Actor, userId?: number): Promise<Dashboard> {
  if (userId !== undefined && userId !== actor.id) await directSubUser(deps.db.read, actor, userId)
  const now = deps.clock.now()
  const { startDate: month } = daysOfPeriod(now, 'this_month')
  const { startDate: lastMonth } = daysOfPeriod(now, 'last_month')
  const { startDate: firstDay, endDate: today } = daysOfPeriod(now, 'last_30_days')
  const moment = { month, lastMonth, firstDay, today, soon: soonFrom(now) }
  const [row] = await findFigures(deps.db.read, { id: userId ?? actor.id, ...moment })
  if (!row) throw new ServiceError('user_not_found')
  const { balance, dynamic1Bytes, dynamic3Bytes, expiringSoon, role } = row
  const { totalRecharge, totalConsumption, monthRecharge, monthConsumption, lastMonthConsumption } = row
  const [subUsers] = row.subUsers
  return {
    balance,
    dynamic1Bytes,
    dynamic3Bytes,
    currency: deps.currency,
    statistics: { totalRecharge, totalConsumption, monthRecharge, monthConsumption, lastMonthConsumption },
    dynamicResources: row.dynamicResources.map(({ id: _id, ...resource }) => resource),
    staticResources: row.staticResources.map(({ id: _id, ...resource }) => resource),
    dailyStats: everyDay(row.dailyStats, now),
    orders: {
      static: counted(ORDER_STATUSES, row.staticOrders),
      dynamic: counted(DYNAMIC_ORDER_STATUSES, row.dynamicOrders),
    },
    subUsers:
      role === 'agent' && subUsers
        ? {
            ...subUsers,
            monthConsumption: row.monthOfSubUsers,
            lastMonthConsumption: row.lastMonthOfSubUsers,
            dailyStats: everyDay(row.dailyStatsOfSubUsers, now),
            expiringSoon: row.expiringOfSubUsers,
          }
        : null,
    expiringSoon,
  }
}

interface Wanted {
  /** The account. */
  readonly id: number
  /** First days of this and the last month; first and last day of the daily figures; end of "expires soon". */
  readonly month: string
  readonly lastMonth: string
  readonly firstDay: string
  readonly today: string
  readonly soon: string
}

type Account = ExpressionBuilder<DB & { a: DB['accounts'] }, 'a'>
type Day = Expression<string>

const findFigures = compiled<Wanted>()((db, { id, month, lastMonth, firstDay, today, soon }) =>
  db
    .selectFrom('accounts as a')
    .select(['a.role', 'a.balance', 'a.totalRecharge', 'a.totalConsumption'])
    .select((a) => [
      leftInPool(a.ref('a.id'), 'dynamic_1').as('dynamic1Bytes'),
      leftInPool(a.ref('a.id'), 'dynamic_3').as('dynamic3Bytes'),
      recharged(a, month).as('monthRecharge'),
      spent(a, false, month).as('monthConsumption'),
      spent(a, false, lastMonth, month).as('lastMonthConsumption'),
      rowsAsJson(trafficResources(a), 'id').as('dynamicResources'),
      rowsAsJson(proxyResources(a), 'id').as('staticResources'),
      rowsAsJson(perDay(a, false, firstDay, today), 'date').as('dailyStats'),
      rowsAsJson(staticOrders(a), 'status').as('staticOrders'),
      rowsAsJson(dynamicOrders(a), 'status').as('dynamicOrders'),
      a
        .selectFrom('instances as i')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('i.userId', '=', 'a.id')
        .where(expiresSoon(soon))
        .$asScalar()
        .$notNull()
        .as('expiringSoon'),
      rowsAsJson(subUserSums(a), 'total').as('subUsers'),
      spent(a, true, month).as('monthOfSubUsers'),
      spent(a, true, lastMonth, month).as('lastMonthOfSubUsers'),
      rowsAsJson(perDay(a, true, firstDay, today), 'date').as('dailyStatsOfSubUsers'),
      a
        .selectFrom('accounts as u')
        .innerJoin('instances as i', 'i.userId', 'u.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('u.agentId', '=', 'a.id')
        .where('u.status', '<>', 'deleted')
        .where(expiresSoon(soon))
        .$asScalar()
        .$notNull()
        .as('expiringOfSubUsers'),
    ])
    .where('a.id', '=', id),
)

/** Selects the daily sums of the account's ledger, or of the ledgers of its sub-users. */
function ledgerDays({ selectFrom }: Account, ofSubUsers: boolean) {
  return selectFrom('ledgerDays as d')
    .whereRef('d.viewerId', '=', 'a.id')
    .where('d.subUsers', '=', ofSubUsers)
}

/** Sums what came in from a day on and counts as recharge, by the same rule as in the trigger on ledger_entries. */
function recharged(account: Account, from: Day) {
  return ledgerDays(account, false)
    .where('d.day', '>=', from)
    .where(({ eb, and, or }) =>
      or([
        eb('d.type', 'in', ['recharge', 'adjust']),
        and([eb('d.type', '=', 'transfer_in'), eb('a.agentId', 'is not', null)]),
      ]),
    )
    .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('d.income'), lit(0)).as('sum'))
    .$asScalar()
    .$notNull()
}

/** Sums what was spent less what was refunded, from a day on and before another. */
function spent(account: Account, ofSubUsers: boolean, from: Day, before?: Day) {
  return ledgerDays(account, ofSubUsers)
    .where('d.day', '>=', from)
    .where(({ eb, and }) => and(before ? [eb('d.day', '<', before)] : []))
    .where('d.type', 'in', CONSUMPTION_TYPES)
    .select(({ eb, fn, lit, ref }) =>
      fn.coalesce(fn.sum<number>(eb('d.expense', '-', ref('d.income'))), lit(0)).as('sum'),
    )
    .$asScalar()
    .$notNull()
}

function perDay(account: Account, ofSubUsers: boolean, first: Day, last: Day) {
  return ledgerDays(account, ofSubUsers)
    .where('d.day', '>=', first)
    .where('d.day', '<=', last)
    .where('d.type', 'in', CONSUMPTION_TYPES)
    .select('d.day as date')
    .select(({ eb, fn, lit, ref }) => {
      const orders = eb.case().when('d.type', '=', 'consumption').then(ref('d.entries')).else(lit(0)).end()
      return [
        fn.sum<number>(orders).as('orders'),
        fn.sum<number>(eb('d.expense', '-', ref('d.income'))).as('amount'),
      ]
    })
    .groupBy('d.day')
}

function staticOrders({ selectFrom }: Account) {
  return selectFrom('staticOrders as o')
    .select(({ fn }) => ['o.status', fn.countAll<number>().as('orders')])
    .whereRef('o.userId', '=', 'a.id')
    .groupBy('o.status')
}

function dynamicOrders({ selectFrom }: Account) {
  return selectFrom('dynamicOrders as o')
    .select(({ fn }) => ['o.status', fn.countAll<number>().as('orders')])
    .whereRef('o.userId', '=', 'a.id')
    .groupBy('o.status')
}

function trafficResources({ selectFrom }: Account) {
  return selectFrom('traffic as t')
    .innerJoin('products as p', 'p.id', 't.productId')
    .select(['p.id', 'p.productNo', NAMES, 't.totalBytes', 't.usedBytes'])
    .select(bytesLeft().as('remainingBytes'))
    .whereRef('t.userId', '=', 'a.id')
}

function proxyResources({ selectFrom }: Account) {
  return selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(['p.id', 'p.productNo', NAMES])
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('i.status', '=', 'active').as('active'),
      fn.countAll<number>().filterWhere('i.status', '=', 'expired').as('expired'),
    ])
    .whereRef('i.userId', '=', 'a.id')
    .groupBy('p.id')
}

/** Sums the figures of the sub-users; always one row. */
function subUserSums({ selectFrom }: Account) {
  return selectFrom('accounts as u')
    .select(({ eb, fn, lit, ref }) => {
      const balance = eb.case().when('u.status', '<>', 'deleted').then(ref('u.balance')).else(lit(0)).end()
      return [
        fn.countAll<number>().filterWhere('u.status', '<>', 'deleted').as('total'),
        fn.countAll<number>().filterWhere('u.status', '=', 'active').as('active'),
        fn.countAll<number>().filterWhere('u.status', '=', 'disabled').as('disabled'),
        fn.coalesce(fn.sum<number>(balance), lit(0)).as('balance'),
        fn.coalesce(fn.sum<number>('u.totalRecharge'), lit(0)).as('totalRecharge'),
        fn.coalesce(fn.sum<number>('u.totalConsumption'), lit(0)).as('totalConsumption'),
      ]
    })
    .whereRef('u.agentId', '=', 'a.id')
}

function everyDay(days: readonly DayFigures[], now: Date): readonly DayFigures[] {
  const known = new Map(days.map((day) => [day.date, day]))
  return Array.from({ length: LAST_DAYS }, (_, index) => {
    const date = dayOf(new Date(now.getTime() - (LAST_DAYS - 1 - index) * DAY_MS))
    return known.get(date) ?? { date, orders: 0, amount: 0 }
  })
}

function counted<Status extends string>(
  statuses: readonly Status[],
  counts: readonly { readonly status: Status; readonly orders: number }[],
): Record<Status | 'total', number> {
  const ordersOf = new Map(counts.map(({ status, orders }) => [status, orders]))
  const entries = statuses.map((status) => [status, ordersOf.get(status) ?? 0] as const)
  const total = entries.reduce((sum, [, count]) => sum + count, 0)
  return Object.fromEntries([['total', total], ...entries]) as Record<Status | 'total', number>
}
