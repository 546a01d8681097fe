import { dayOf } from '../calendar-day.ts'
import { isFree, isResting } from '../catalog/stock-conditions.ts'
import type { Queryable } from '../database/queries.ts'
import { isFailing } from './manage-jobs.ts'
import { isOnOffer, offerMoment } from '../catalog/offer-conditions.ts'
import { listExits, useOfExits } from '../gateway/exits.ts'
import { isGatewayAtWork } from '../traffic/gateway-lease.ts'
import { isAnybodyTold } from '../notices/concerns.ts'
import type { DayFigures } from '../facts/operator-facts.ts'
import { profit } from '../records/profit.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { NAMES } from '../catalog/product-texts.ts'

/** Hour in UTC at which the operator is told the figures of the day before. */
const TOLD_AT_HOUR = 8
const DAY_MS = 24 * 60 * 60_000
/** Maximum number of days, yesterday included, whose figures are told late after the server was down. */
const CAUGHT_UP_DAYS = 7
/** Maximum number of failing jobs that are listed in the figures. */
const NAMED_JOBS = 3
/** Maximum number of exits whose use is listed. */
const NAMED_EXITS = 5

/**
 * Reads what happened on one day in UTC and, as of now, the stock that is left and whether gateway and exits work.
 *
 * @param day YYYY-MM-DD; today by default
 */
export async function dayFigures(deps: Essentials, day = dayOf(deps.clock.now())): Promise<DayFigures> {
  const { db, clock } = deps
  const from = new Date(`${day}T00:00:00.000Z`)
  const to = new Date(from.getTime() + DAY_MS)
  const { $kysely } = db.read
  // Numbers of orders and entries begin with their day, so the index of the numbers finds those of one day.
  const numbered = (prefix: string) => [prefix + digits(from), prefix + digits(to)] as const
  const [firstEntry, nextEntry] = numbered('T')
  const [firstStatic, nextStatic] = numbered('S')
  const [firstDynamic, nextDynamic] = numbered('D')
  const booked = await $kysely
    .selectFrom('ledgerEntries')
    .select(({ eb, fn, and }) => {
      const isTopUp = and([eb('type', '=', 'recharge'), eb('source', 'like', 'usdt:%')])
      return [
        fn.countAll<number>().filterWhere(isTopUp).as('topUps'),
        fn.sum<number | null>('amount').filterWhere(isTopUp).as('toppedUp'),
      ]
    })
    .where('transactionNo', '>=', firstEntry)
    .where('transactionNo', '<', nextEntry)
    .executeTakeFirstOrThrow()
  const counts = await $kysely
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('staticOrders')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('orderNo', '>=', firstStatic)
        .where('orderNo', '<', nextStatic)
        .$asScalar()
        .$notNull()
        .as('staticOrders'),
      selectFrom('dynamicOrders')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('orderNo', '>=', firstDynamic)
        .where('orderNo', '<', nextDynamic)
        .$asScalar()
        .$notNull()
        .as('dynamicOrders'),
      selectFrom('accounts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('createdAt', '>=', from.toISOString())
        .where('createdAt', '<', to.toISOString())
        .$asScalar()
        .$notNull()
        .as('newUsers'),
      selectFrom('usageReports')
        .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('bytes'), lit(0)).as('bytes'))
        .where('day', '=', day)
        .$asScalar()
        .$notNull()
        .as('trafficBytes'),
      selectFrom('jobs')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(isFailing)
        .$asScalar()
        .$notNull()
        .as('failedJobs'),
    ])
    .executeTakeFirstOrThrow()
  const failing = await $kysely
    .selectFrom('jobs')
    .select(['id', 'kind', 'lastError as reason'])
    .where(isFailing)
    .orderBy('failures', 'desc')
    .orderBy('id')
    .limit(NAMED_JOBS)
    .execute()
  const { topUps, toppedUp } = booked
  const { revenue, refunds, agents, cost, margin } = (await profit({ db, clock }, { from: day, to: day }))
    .total
  return {
    day,
    ...counts,
    revenue,
    refunds,
    ...(agents !== 0 && { agents }),
    ...(cost !== null && margin !== null && { cost, margin }),
    topUps,
    toppedUp: toppedUp ?? 0,
    failing,
    ...(await gatewayOf(deps, day)),
    stock: await stockLeft(db.read, clock.now()),
  }
}

/** Reads whether a gateway works now, how many active exits are healthy, and their use on the day; empty without active exits. */
async function gatewayOf(deps: Essentials, day: string): Promise<Pick<DayFigures, 'gateway'>> {
  const exits = (await listExits(deps)).filter(({ status }) => status === 'active')
  if (exits.length === 0) return {}
  const healthy = exits.filter((exit) => exit.healthy).length
  const used = await useOfExits(deps.db.read, { day, limit: NAMED_EXITS })
  return { gateway: { atWork: await isGatewayAtWork(deps), healthy, exits: exits.length, used } }
}

/** Counts free and resting proxies of each enabled product that has places; what suppliers offer counts as free. */
function stockLeft({ $kysely }: Queryable, now: Date): Promise<DayFigures['stock'][number][]> {
  return $kysely
    .selectFrom('products as p')
    .select(['p.productNo', NAMES])
    .select(({ selectFrom, eb }) => {
      const stock = selectFrom('locations as l')
        .innerJoin('stockIps as s', 's.locationId', 'l.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('l.productId', '=', 'p.id')
      const offered = selectFrom('locations as l')
        .innerJoin('supplierOffers as f', 'f.id', 'l.offerId')
        .innerJoin('supplierConnections as c', 'c.id', 'f.connectionId')
        .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('f.stock'), lit(0)).as('stock'))
        .whereRef('l.productId', '=', 'p.id')
        .where(isOnOffer(offerMoment(now)))
      return [
        eb(stock.where(isFree).$asScalar().$notNull(), '+', offered.$asScalar().$notNull()).as('free'),
        stock.where(isResting).$asScalar().$notNull().as('resting'),
      ]
    })
    .where('p.enabled', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('locations').select('id').whereRef('productId', '=', 'p.id')),
    )
    .orderBy('p.id')
    .execute()
}

/**
 * Sweep of the job loop: tells the operator once a day about the day before, at 08:00 UTC or after a later start. Days that were
 * missed because the server was down are told first. Days before the first account was created are left out.
 */
export async function tellDayFigures(deps: Essentials): Promise<void> {
  const now = deps.clock.now()
  if (now.getUTCHours() < TOLD_AT_HOUR || !(await isAnybodyTold(deps))) return
  for (const day of await untoldDays(deps, now)) {
    const data = await dayFigures(deps, day)
    await deps.db.write(async (tx) => happened(tx, { kind: 'daily_summary', subject: day, data }))
  }
}

/** Returns the days up to yesterday that have not been told yet, oldest first. */
async function untoldDays({ db }: Essentials, now: Date): Promise<string[]> {
  const { told, opened } = await db.read.$kysely
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('notices')
        .select(({ fn }) => fn.max('subject').as('day'))
        .where('kind', '=', 'daily_summary')
        .as('told'),
      selectFrom('accounts')
        .select(({ fn }) => fn.min('createdAt').as('time'))
        .as('opened'),
    ])
    .executeTakeFirstOrThrow()
  if (!opened) return []
  const dayBefore = (days: number) => dayOf(new Date(now.getTime() - days * DAY_MS))
  // On the very first run only yesterday is told.
  const after = told ?? dayBefore(2)
  return Array.from({ length: CAUGHT_UP_DAYS }, (_, index) => dayBefore(CAUGHT_UP_DAYS - index)).filter(
    (day) => day > after && day >= opened.slice(0, 10),
  )
}

function digits(time: Date): string {
  return dayOf(time).replaceAll('-', '')
}
