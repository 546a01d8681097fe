import { Prisma } from '../../generated/prisma/client.ts'
import { dayOf } from '../calendar-day.ts'
import { FREE, RESTING } from '../catalog/stock.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { FAILING } from '../jobs/manage-jobs.ts'
import { announceToOperators } from '../notices/announce.ts'
import type { DayFigures } from '../notices/kinds.ts'

/** When the operator is told about the day before (UTC). */
const TOLD_AT_HOUR = 8
const DAY_MS = 24 * 60 * 60_000
/** Missed days of which the operator is told later, yesterday included. */
const CAUGHT_UP_DAYS = 7
/** Failing jobs that the figures name. */
const NAMED_JOBS = 3

/**
 * What happened on one day in UTC, and what is left in stock now.
 *
 * @param day YYYY-MM-DD; today by default
 */
export async function dayFigures({ db, clock }: CoreDeps, day = dayOf(clock.now())): Promise<DayFigures> {
  const from = new Date(`${day}T00:00:00.000Z`)
  const to = new Date(from.getTime() + DAY_MS)
  // Numbers begin with the time at which they were made, so an index finds those of a day.
  const numbered = (column: string, prefix: string) =>
    Prisma.sql`${Prisma.raw(column)} >= ${prefix + digits(from)} AND ${Prisma.raw(column)} < ${prefix + digits(to)}`
  const booked = (amount: string, which: string) =>
    Prisma.sql`(SELECT coalesce(${Prisma.raw(amount)}, 0) FROM ledger_entries
                WHERE ${numbered('transaction_no', 'T')} AND ${Prisma.raw(which)})`
  const topUp = "type = 'recharge' AND source LIKE 'usdt:%'"
  const [figures] = await selectJson<DayFigures>(
    db.read,
    Prisma.sql`SELECT json_object('day', ${day},
      'staticOrders', (SELECT count(*) FROM static_orders WHERE ${numbered('order_no', 'S')}),
      'dynamicOrders', (SELECT count(*) FROM dynamic_orders WHERE ${numbered('order_no', 'D')}),
      'revenue', ${booked('-sum(amount)', "type = 'consumption'")},
      'refunds', ${booked('sum(amount)', "type = 'refund'")},
      'topUps', ${booked('count(*)', topUp)},
      'toppedUp', ${booked('sum(amount)', topUp)},
      'newUsers', (SELECT count(*) FROM accounts WHERE created_at >= ${from} AND created_at < ${to}),
      'failedJobs', (SELECT count(*) FROM jobs WHERE ${FAILING}),
      'failing', (SELECT json_group_array(json_object('id', id, 'kind', kind, 'reason', last_error))
                  FROM (SELECT * FROM jobs WHERE ${FAILING} ORDER BY failures DESC, id LIMIT ${NAMED_JOBS})),
      'stock', (SELECT json_group_array(json_object('productNo', p.product_no, 'nameEn', p.name_en, 'nameZh', p.name_zh,
                  'free', (SELECT count(*) FROM locations l JOIN stock_ips s ON s.location_id = l.id
                           WHERE l.product_id = p.id AND ${FREE}),
                  'resting', (SELECT count(*) FROM locations l JOIN stock_ips s ON s.location_id = l.id
                              WHERE l.product_id = p.id AND ${RESTING})) ORDER BY p.id)
                FROM products p WHERE p.enabled AND EXISTS (SELECT 1 FROM locations WHERE product_id = p.id))) AS json`,
  )
  if (!figures) throw new Error('a SELECT without FROM has a row')
  return figures
}

/**
 * Of the loop: tells the operator once a day about the day before, at 08:00 UTC or after a later start. Days that were missed,
 * because no server ran, are told first. A day on which the shop had no account yet is none of its days.
 */
export async function tellDayFigures(deps: CoreDeps): Promise<void> {
  const now = deps.clock.now()
  if (deps.operatorChats.length === 0 || now.getUTCHours() < TOLD_AT_HOUR) return
  for (const day of await untoldDays(deps, now)) {
    const data = await dayFigures(deps, day)
    await deps.db.write((tx) => announceToOperators(deps, tx, { kind: 'daily_summary', subject: day, data }))
    deps.jobs.wake()
  }
}

/** Days up to yesterday of which nobody has been told, oldest first. */
async function untoldDays({ db }: CoreDeps, now: Date): Promise<string[]> {
  const [facts] = await db.read.$queryRaw<{ told: string | null; opened: string | null }[]>`
    SELECT (SELECT max(subject) FROM notices WHERE kind = 'daily_summary') AS told,
      (SELECT min(created_at) FROM accounts) AS opened`
  const { told, opened } = facts ?? {}
  if (!opened) return []
  const dayBefore = (days: number) => dayOf(new Date(now.getTime() - days * DAY_MS))
  // Whoever has never been told anything hears of yesterday only.
  const after = told ?? dayBefore(2)
  return Array.from({ length: CAUGHT_UP_DAYS }, (_, index) => dayBefore(CAUGHT_UP_DAYS - index)).filter(
    (day) => day > after && day >= opened.slice(0, 10),
  )
}

function digits(time: Date): string {
  return dayOf(time).replaceAll('-', '')
}
