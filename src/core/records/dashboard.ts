import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, directSubUser } from '../access.ts'
import { trafficLeft } from '../accounts/balance.ts'
import { dayOf } from '../calendar-day.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { DYNAMIC_ORDER_STATUSES, type DynamicOrderStatus } from '../orders/list-dynamic-orders.ts'
import { expiringSoon } from '../orders/list-static-orders.ts'
import { ORDER_STATUSES, type OrderStatus } from '../orders/static-order.ts'
import type { Bytes } from '../traffic/bytes.ts'
import { daysOfPeriod, LAST_DAYS } from './periods.ts'

const DAY_MS = 24 * 60 * 60_000

/** What an account has, has spent and is using (rules 7.4). */
export interface Dashboard {
  readonly balance: Micros
  /** Traffic left in pool dynamic_1 (shown as lumi_balance) and dynamic_3 (dyn3_balance). */
  readonly dynamic1Bytes: Bytes
  readonly dynamic3Bytes: Bytes
  readonly currency: string
  /** Months are those of the calendar in UTC. Consumption is what was spent less what was refunded in that time. */
  readonly statistics: {
    readonly totalRecharge: Micros
    readonly totalConsumption: Micros
    readonly monthRecharge: Micros
    readonly monthConsumption: Micros
    readonly lastMonthConsumption: Micros
  }
  readonly dynamicResources: readonly TrafficResource[]
  readonly staticResources: readonly ProxyResource[]
  /** Oldest day first; a day on which nothing happened is there too. */
  readonly dailyStats: readonly DayFigures[]
  readonly orders: {
    readonly static: Readonly<Record<OrderStatus | 'total', number>>
    readonly dynamic: Readonly<Record<DynamicOrderStatus | 'total', number>>
  }
  /** Of an agent: its direct sub-users. What deleted ones had and have spent stays in the sums of the past, and only there. */
  readonly subUsers: SubUserFigures | null
  /** Proxies that expire within a week. */
  readonly expiringSoon: number
}

export interface DayFigures {
  readonly date: string
  readonly orders: number
  readonly amount: Micros
}

export interface TrafficResource {
  readonly productNo: string
  readonly nameEn: string
  readonly nameZh: string
  readonly totalBytes: Bytes
  readonly usedBytes: Bytes
  /** Neither used nor handed to sub-accounts. */
  readonly remainingBytes: Bytes
}

export interface ProxyResource {
  readonly productNo: string
  readonly nameEn: string
  readonly nameZh: string
  readonly total: number
  readonly active: number
  readonly expired: number
}

export interface SubUserFigures {
  readonly total: number
  readonly active: number
  readonly disabled: number
  readonly balance: Micros
  readonly totalRecharge: Micros
  readonly totalConsumption: Micros
  readonly monthConsumption: Micros
  readonly lastMonthConsumption: Micros
  readonly dailyStats: readonly DayFigures[]
  readonly expiringSoon: number
}

/**
 * The overview of an account: the actor's own, or that of a direct sub-user (rules 7.4). One statement, so
 * that all figures belong to the same moment.
 *
 * @param userId whose overview; the actor's own without it
 * @throws agent_required, sub_user_not_found, not_direct_sub_user
 */
export async function dashboard(deps: CoreDeps, actor: Actor, userId?: number): Promise<Dashboard> {
  if (userId !== undefined && userId !== actor.id) await directSubUser(deps.db.read, actor, userId)
  const now = deps.clock.now()
  const [row] = await selectJson<Row>(deps.db.read, dashboardQuery(userId ?? actor.id, now))
  if (!row) throw new ServiceError('user_not_found')
  return {
    ...row,
    currency: deps.currency,
    dailyStats: everyDay(row.dailyStats, now),
    subUsers: row.subUsers && { ...row.subUsers, dailyStats: everyDay(row.subUsers.dailyStats, now) },
    orders: {
      static: counted(ORDER_STATUSES, row.orders.static),
      dynamic: counted(DYNAMIC_ORDER_STATUSES, row.orders.dynamic),
    },
  }
}

interface Row extends Omit<Dashboard, 'currency' | 'orders'> {
  readonly orders: Readonly<Record<'static' | 'dynamic', Readonly<Record<string, number>>>>
}

/** What came in and counts as recharge, as the trigger on ledger_entries has it. Needs `a` = accounts, `d` = ledger_days. */
const RECHARGED = "(d.type IN ('recharge', 'adjust') OR (d.type = 'transfer_in' AND a.agent_id IS NOT NULL))"

/** @param id the account */
export function dashboardQuery(id: number, now: Date): Prisma.Sql {
  const { startDate: month } = daysOfPeriod(now, 'this_month')
  const { startDate: lastMonth } = daysOfPeriod(now, 'last_month')
  const { startDate: firstDay, endDate: today } = daysOfPeriod(now, 'last_30_days')

  const sum = (expression: string, subUsers: 0 | 1, condition: Prisma.Sql) => Prisma.sql`(
    SELECT coalesce(sum(${Prisma.raw(expression)}), 0) FROM ledger_days d
    WHERE d.viewer_id = a.id AND d.sub_users = ${subUsers} AND ${condition})`
  const spent = (subUsers: 0 | 1, from: string, until?: string) =>
    sum(
      'd.expense - d.income',
      subUsers,
      Prisma.sql`d.day >= ${from} AND ${until === undefined ? Prisma.sql`1` : Prisma.sql`d.day < ${until}`}
                 AND d.type IN ('consumption', 'refund')`,
    )
  const perStatus = (table: string) => Prisma.sql`(
    SELECT json_group_object(status, orders) FROM (
      SELECT status, count(*) AS orders FROM ${Prisma.raw(table)} WHERE user_id = a.id GROUP BY status))`
  const daily = (subUsers: 0 | 1) => Prisma.sql`(
    SELECT json_group_array(json_object('date', day, 'orders', orders, 'amount', amount))
    FROM (SELECT d.day, sum(iif(d.type = 'consumption', d.entries, 0)) AS orders, sum(d.expense - d.income) AS amount
          FROM ledger_days d
          WHERE d.viewer_id = a.id AND d.sub_users = ${subUsers} AND d.day BETWEEN ${firstDay} AND ${today}
            AND d.type IN ('consumption', 'refund')
          GROUP BY d.day ORDER BY d.day))`
  const expiring = (user: string) => Prisma.sql`(
    SELECT count(*) FROM instances i
    WHERE i.user_id = ${Prisma.raw(user)} AND ${expiringSoon(now)})`
  const subUserSum = (expression: string) => Prisma.raw(`coalesce(sum(${expression}), 0)`)

  return Prisma.sql`
    SELECT json_object(
      'balance', a.balance,
      'dynamic1Bytes', ${Prisma.raw(trafficLeft('a.id', 'dynamic_1'))},
      'dynamic3Bytes', ${Prisma.raw(trafficLeft('a.id', 'dynamic_3'))},
      'statistics', json_object(
        'totalRecharge', a.total_recharge, 'totalConsumption', a.total_consumption,
        'monthRecharge', ${sum('d.income', 0, Prisma.sql`d.day >= ${month} AND ${Prisma.raw(RECHARGED)}`)},
        'monthConsumption', ${spent(0, month)}, 'lastMonthConsumption', ${spent(0, lastMonth, month)}),
      'dynamicResources', (
        SELECT json_group_array(json_object('productNo', product_no, 'nameEn', name_en, 'nameZh', name_zh,
                                            'totalBytes', total_bytes, 'usedBytes', used_bytes,
                                            'remainingBytes', total_bytes - used_bytes - allocated_bytes))
        FROM (SELECT p.*, t.total_bytes, t.used_bytes, t.allocated_bytes FROM traffic t JOIN products p ON p.id = t.product_id
              WHERE t.user_id = a.id ORDER BY p.id)),
      'staticResources', (
        SELECT json_group_array(json_object('productNo', product_no, 'nameEn', name_en, 'nameZh', name_zh,
                                            'total', total, 'active', active, 'expired', expired))
        FROM (SELECT p.product_no, p.name_en, p.name_zh, count(*) AS total, sum(i.status = 'active') AS active,
                     sum(i.status = 'expired') AS expired
              FROM instances i JOIN static_orders o ON o.id = i.order_id JOIN products p ON p.id = o.product_id
              WHERE i.user_id = a.id GROUP BY p.id ORDER BY p.id)),
      'dailyStats', ${daily(0)},
      'orders', json_object('static', json(${perStatus('static_orders')}), 'dynamic', json(${perStatus('dynamic_orders')})),
      'expiringSoon', ${expiring('a.id')},
      'subUsers', json(iif(a.role <> 'agent', NULL, (
        SELECT json_object(
          'total', ${subUserSum("u.status <> 'deleted'")}, 'active', ${subUserSum("u.status = 'active'")},
          'disabled', ${subUserSum("u.status = 'disabled'")},
          'balance', ${subUserSum("iif(u.status <> 'deleted', u.balance, 0)")}, 'totalRecharge', ${subUserSum('u.total_recharge')},
          'totalConsumption', ${subUserSum('u.total_consumption')},
          'monthConsumption', ${spent(1, month)}, 'lastMonthConsumption', ${spent(1, lastMonth, month)},
          'dailyStats', ${daily(1)}, 'expiringSoon', coalesce(sum(iif(u.status <> 'deleted', ${expiring('u.id')}, 0)), 0))
        FROM accounts u WHERE u.agent_id = a.id)))) AS json
    FROM accounts a WHERE a.id = ${id}`
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
  counts: Readonly<Record<string, number>>,
): Record<Status | 'total', number> {
  const entries = statuses.map((status) => [status, counts[status] ?? 0] as const)
  const total = entries.reduce((sum, [, count]) => sum + count, 0)
  return Object.fromEntries([['total', total], ...entries]) as Record<Status | 'total', number>
}
