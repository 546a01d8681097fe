import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { calendarDay, dayOf, daysAgo } from '../calendar-day.ts'
import { parseInput } from '../errors.ts'
import type { Bytes } from '../bytes.ts'
import { HOSTS_KEPT_DAYS } from './count-targets.ts'
import { mainAccount, type WhichAccount } from './main-account.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Maximum number of hosts that are shown by name. */
const SHOWN_HOSTS = 20

export const UsageFiguresInput = z.object({
  productNo: z.string().min(1).max(64),
  /** The owner of the traffic; by default the caller. */
  userId: z.int().positive().nullish(),
  days: z.int().min(1).max(HOSTS_KEPT_DAYS).default(7),
  /** The last of these days; today by default. */
  lastDay: calendarDay.optional(),
})

export interface UsageFigures {
  readonly userId: number
  readonly productNo: string
  /** First and last day, YYYY-MM-DD, UTC. */
  readonly from: string
  readonly to: string
  /** Bytes reported for these days, including those beyond the traffic that was left. */
  readonly bytes: Bytes
  /** Days with use, the earliest first. */
  readonly days: readonly UsageOfDay[]
  /** Whether hosts are kept. */
  readonly keepsHosts: boolean
  /** The hosts with the most use, and the sum of all others. */
  readonly targets: readonly { readonly host: string; readonly bytes: Bytes }[]
  readonly otherTargets: Bytes
}

interface UsageOfDay {
  readonly day: string
  readonly bytes: Bytes
  /** Use by gateway username, the greatest first. */
  readonly credentials: readonly { readonly username: string; readonly bytes: Bytes }[]
}

/**
 * Reads what a traffic account and its sub-accounts used on each day and for each host (rules 12.9).
 *
 * @throws product_not_found, also when none of it was ever bought; validation_error, and what targeting refuses
 */
export async function usageFigures(
  { db, clock }: Essentials,
  actor: Actor,
  input: z.input<typeof UsageFiguresInput>,
): Promise<UsageFigures> {
  const { days: count, lastDay = dayOf(clock.now()), ...which } = parseInput(UsageFiguresInput, input)
  const { id, userId, productNo, keepHosts } = await mainAccount(db.read, actor, which)
  const range = { from: daysAgo(new Date(lastDay), count - 1), to: lastDay }
  const days = new Map<string, { username: string; bytes: Bytes }[]>()
  const uses = await db.read.$kysely
    .selectFrom('usageReports')
    .select(['day', 'username'])
    .select(({ fn }) => fn.sum<number>('bytes').as('bytes'))
    .where('trafficId', '=', id)
    .where('day', '>=', range.from)
    .where('day', '<=', range.to)
    .groupBy(['day', 'username'])
    .orderBy('day')
    .orderBy('bytes', 'desc')
    .orderBy('username')
    .execute()
  for (const { day, ...credential } of uses) days.set(day, [...(days.get(day) ?? []), credential])
  const hosts = await db.read.$kysely
    .selectFrom('usageTargets')
    .select('host')
    .select(({ fn }) => fn.sum<number>('bytes').as('bytes'))
    .where('trafficId', '=', id)
    .where('day', '>=', range.from)
    .where('day', '<=', range.to)
    .groupBy('host')
    .orderBy('bytes', 'desc')
    .orderBy('host')
    .execute()
  const named = hosts.filter(({ host }) => host !== '').slice(0, SHOWN_HOSTS)
  return {
    userId,
    productNo,
    ...range,
    days: [...days].map(([day, credentials]) => ({ day, bytes: sum(credentials), credentials })),
    bytes: sum([...days.values()].flat()),
    keepsHosts: keepHosts,
    targets: named,
    otherTargets: sum(hosts) - sum(named),
  }
}

function sum(uses: readonly { readonly bytes: Bytes }[]): Bytes {
  return uses.reduce((total, { bytes }) => total + bytes, 0)
}

/**
 * Switches whether hosts are kept of a traffic account (rules 12.9). Switching it off deletes those that were kept.
 *
 * @throws as {@link usageFigures}
 */
export async function setKeepsHosts(
  deps: Essentials,
  actor: Actor,
  which: WhichAccount,
  keepsHosts: boolean,
): Promise<{ readonly userId: number; readonly productNo: string; readonly keepsHosts: boolean }> {
  return deps.db.write(async (tx) => {
    const { id, userId, productNo } = await mainAccount(tx, actor, which)
    const { $kysely } = tx
    await $kysely.updateTable('traffic').set({ keepHosts: keepsHosts }).where('id', '=', id).execute()
    if (!keepsHosts) await $kysely.deleteFrom('usageTargets').where('trafficId', '=', id).execute()
    return { userId, productNo, keepsHosts }
  })
}
