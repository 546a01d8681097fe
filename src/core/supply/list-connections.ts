import { z } from 'zod'
import { shifted } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import type { Micros } from '../money.ts'
import { type Held, Money, record, Time } from '../record.ts'
import { COST_OF_CALL } from './cost-of-calls.ts'
import type { Essentials } from '../jobs/essentials.ts'

const DAY_MS = 24 * 60 * 60_000
/** Number of past days whose costs forecast how long a balance lasts. */
const FORECAST_DAYS = 7
/** Offers seen within this time (ms) before the end of the last sync belong to it. */
const LISTED_MS = 5 * 60_000

/** Fields shown of an account at a supplier. */
const CONNECTION = {
  name: z.string(),
  driver: z.string(),
  url: z.string(),
  status: z.enum(['active', 'paused']),
  /** Account currency for one unit of the supplier's. */
  rate: Money,
  refundHours: z.int(),
  concurrency: z.int(),
  /** In the account currency; null before the first answer. */
  balance: Money.nullable(),
  balanceAt: Time.nullable(),
  /** For how many days the balance lasts at the mean cost of the last 7 days; null when nothing was spent, or the balance is unknown. */
  daysLeft: z.number().nullable(),
  /** The last day in UTC on which the balance can be spent; null where the operator has entered none. */
  balanceExpiresOn: z.iso.date().nullable(),
  alarmBalance: Money,
  alarmDays: z.int(),
  /** Whether the operator was told that the balance is low. */
  alarmed: z.boolean(),
  /** Offers that the supplier listed last, and when. */
  offers: z.int(),
  syncedAt: Time.nullable(),
  products: z.int(),
  /** Calls that are under way, and those whose outcome the operator has to find out. */
  openCalls: z.int(),
  doubtfulCalls: z.int(),
  /** Requests in a row that failed, until when nothing is sent because of that, and why the last one failed. */
  faults: z.int(),
  pausedUntil: Time.nullable(),
  lastError: z.string().nullable(),
  reconciledAt: Time.nullable(),
}
export const ConnectionRecord = record(CONNECTION)

export interface ConnectionOverview extends Held<typeof CONNECTION> {
  readonly id: number
  /** What the operator was told last of the expiry: the day, and `soon` or `over`. */
  readonly expiryTold: string | null
}

/** Lists all connections with their state, by name (rules 11.1). */
export async function listConnections(deps: Pick<Essentials, 'db' | 'clock'>): Promise<ConnectionOverview[]> {
  return connectionsAt(deps.db.read, deps.clock.now())
}

/** As {@link listConnections}, at a moment, as the open transaction sees it. */
export async function connectionsAt(db: Queryable, now: Date): Promise<ConnectionOverview[]> {
  const since = new Date(now.getTime() - FORECAST_DAYS * DAY_MS).toISOString()
  const found = await db.$kysely
    .selectFrom('supplierConnections as c')
    .select(['c.id', 'c.name', 'c.driver', 'c.url', 'c.status', 'c.rate', 'c.refundHours', 'c.concurrency'])
    .select(['c.balance', 'c.balanceAt', 'c.alarmBalance', 'c.alarmDays', 'c.alarmed', 'c.syncedAt'])
    .select(['c.balanceExpiresOn', 'c.expiryTold'])
    .select(['c.faults', 'c.pausedUntil', 'c.lastError', 'c.reconciledAt', 'c.createdAt'])
    .select(({ selectFrom, fn, ref }) => {
      const calls = selectFrom('supplierCalls').whereRef('connectionId', '=', 'c.id')
      const open = calls.select(fn.countAll<number>().as('count')).where('nextAt', 'is not', null)
      return [
        selectFrom('supplierOffers as o')
          .select(fn.countAll<number>().as('count'))
          .whereRef('o.connectionId', '=', 'c.id')
          .where('o.seenAt', '>=', shifted(ref('c.syncedAt'), -LISTED_MS))
          .$asScalar()
          .$notNull()
          .as('offers'),
        selectFrom('products as p')
          .select(fn.countAll<number>().as('count'))
          .whereRef('p.supplier', '=', 'c.name')
          .$asScalar()
          .$notNull()
          .as('products'),
        open.where('state', '<>', 'in_doubt').$asScalar().$notNull().as('openCalls'),
        open.where('state', '=', 'in_doubt').$asScalar().$notNull().as('doubtfulCalls'),
        calls
          .select(fn.sum<number | null>(COST_OF_CALL).as('spent'))
          .where('createdAt', '>=', since)
          .$asScalar()
          .as('spent'),
      ]
    })
    .orderBy('c.name')
    .execute()
  return found.map(({ spent, createdAt, ...connection }) => ({
    ...connection,
    daysLeft: daysLeft(connection.balance, spent ?? 0, now.getTime() - Date.parse(createdAt)),
  }))
}

/**
 * Forecasts for how many days a balance lasts.
 *
 * @param spent what was spent in the last {@link FORECAST_DAYS} days
 * @param ageMs age of the connection in ms, which may be younger than that
 */
function daysLeft(balance: Micros | null, spent: Micros, ageMs: number): number | null {
  if (balance === null || spent <= 0) return null
  const days = Math.min(Math.max(ageMs / DAY_MS, 1), FORECAST_DAYS)
  return Math.max(Math.floor((balance / spent) * days * 10) / 10, 0)
}
