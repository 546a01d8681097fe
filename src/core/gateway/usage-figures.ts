import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { calendarDay, dayOf, daysAgo } from '../calendar-day.ts'
import { parseInput } from '../errors.ts'
import type { Bytes } from '../bytes.ts'
import { type Held, record, Traffic } from '../record.ts'
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

const names = { day: 'date', bytes: 'used' } as const
const Day = z.iso.date()
const HostRecord = record(
  { host: z.string().meta({ description: 'The host that was reached' }), bytes: Traffic },
  { names },
)
const CredentialRecord = record(
  {
    username: z.string().meta({ description: '`<account>` in the grammar of credentials' }),
    bytes: Traffic,
  },
  { names },
)
const DayRecord = record(
  {
    day: Day,
    bytes: Traffic,
    credentials: CredentialRecord.array().meta({ description: 'By credential, the most use first' }),
  },
  { names },
)
const USAGE = {
  userId: z.int().meta({ description: 'Whose traffic it is' }),
  productNo: z.string(),
  from: Day.meta({ description: 'First day, UTC' }),
  to: Day.meta({ description: 'Last day, UTC' }),
  bytes: Traffic.meta({ description: 'GB that were reported in these days' }),
  days: DayRecord.array().meta({ description: 'Days with use, the earliest first' }),
  keepsHosts: z.boolean().meta({ description: 'Whether it is kept which hosts are reached' }),
  targets: HostRecord.array().meta({ description: `The ${SHOWN_HOSTS} hosts with the most use` }),
  otherTargets: Traffic.meta({ description: 'GB that were used for all other hosts' }),
  unit: z.literal('GB'),
}
/** What a traffic account used (rules 12.9). */
export const UsageRecord = record(USAGE, { id: 'TrafficUsage', names })
export type UsageFigures = Omit<Held<typeof USAGE>, 'unit'>

export const USAGE_EXAMPLE: UsageFigures = {
  userId: 2,
  productNo: 'DYN-1',
  from: '2026-11-14',
  to: '2026-11-20',
  bytes: 1_250_000_000,
  days: [
    {
      day: '2026-11-20',
      bytes: 1_250_000_000,
      credentials: [{ username: 'u0abcdef123456', bytes: 1_250_000_000 }],
    },
  ],
  keepsHosts: true,
  targets: [{ host: 'www.example.com', bytes: 1_000_000_000 }],
  otherTargets: 250_000_000,
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
