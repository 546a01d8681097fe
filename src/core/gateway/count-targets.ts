import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf, rowsOf } from '../database/dialect.ts'
import { daysAgo } from '../calendar-day.ts'
import { every } from '../jobs/every.ts'
import type { Bytes } from '../bytes.ts'
import type { UsageItem } from './wire.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Maximum number of hosts that are kept of a traffic account and day (rules 12.9); the rest is one sum. */
const MOST_HOSTS = 200
/** Stands for all hosts that are not kept by name. */
const OTHERS = ''

interface TargetUse {
  readonly trafficId: number
  readonly day: string
  /** All bytes used; what the targets do not sum up to went to other hosts. */
  readonly bytes: Bytes
  readonly targets: UsageItem['targets']
}

interface Target {
  readonly trafficId: number
  readonly day: string
  readonly host: string
  readonly bytes: Bytes
}

/** Counts use by host, in the open transaction, for the traffic accounts that keep hosts. */
export async function countTargets(tx: Tx, uses: readonly TargetUse[]): Promise<void> {
  const trafficIds = [...new Set(uses.map(({ trafficId }) => trafficId))]
  const keeping = new Set((await findKeeping(tx, { trafficIds })).map(({ id }) => id))
  const given = sums(uses.filter(({ trafficId }) => keeping.has(trafficId)).flatMap(hostsOf))
  if (given.length === 0) return
  const known = new Set((await addToKnown(tx, { rows: rowsFor(given) })).map(keyOf))
  const fresh = given.filter((target) => !known.has(keyOf(target)))
  if (fresh.length === 0) return
  await addTargets(tx, { rows: rowsFor(sums(await withinLimit(tx, fresh))) })
}

/** Returns the targets of a use, and one target for the other hosts; together never more than was used. */
function hostsOf({ trafficId, day, bytes, targets }: TargetUse): Target[] {
  let left = bytes
  const named = targets.map((target): Target => {
    const taken = Math.min(target.bytes, left)
    left -= taken
    return { trafficId, day, host: target.host.toLowerCase(), bytes: taken }
  })
  return [...named, { trafficId, day, host: OTHERS, bytes: left }].filter((target) => target.bytes > 0)
}

/** Counts new hosts beyond the limit of their account and day among the others. */
async function withinLimit(tx: Tx, fresh: readonly Target[]): Promise<Target[]> {
  const trafficIds = [...new Set(fresh.map(({ trafficId }) => trafficId))]
  const days = [...new Set(fresh.map(({ day }) => day))]
  const dayKey = ({ trafficId, day }: Pick<Target, 'trafficId' | 'day'>) => `${trafficId} ${day}`
  const counts = new Map(
    (await countHosts(tx, { trafficIds, days })).map((counted) => [dayKey(counted), counted.hosts]),
  )
  return fresh.map((target) => {
    if (target.host === OTHERS) return target
    const hosts = (counts.get(dayKey(target)) ?? 0) + 1
    counts.set(dayKey(target), hosts)
    return hosts > MOST_HOSTS ? { ...target, host: OTHERS } : target
  })
}

/** Adds up the targets of the same account, day and host. */
function sums(targets: readonly Target[]): Target[] {
  const sums = new Map<string, Target>()
  for (const target of targets) {
    const key = keyOf(target)
    sums.set(key, { ...target, bytes: target.bytes + (sums.get(key)?.bytes ?? 0) })
  }
  return [...sums.values()]
}

function keyOf({ trafficId, day, host }: Omit<Target, 'bytes'>): string {
  return `${trafficId} ${day} ${host}`
}

const findKeeping = compiled<{ trafficIds: readonly number[] }>()((db, { trafficIds }) =>
  db.selectFrom('traffic').select('id').where('id', 'in', listOf(trafficIds)).where('keepHosts', '=', true),
)

/** Columns of the given rows; named unlike those of the table, so that `returning` is unambiguous. */
const TARGET = { account: 'integer', usedOn: 'text', name: 'text', used: 'integer' } as const

function rowsFor(targets: readonly Target[]) {
  return targets.map(({ trafficId, day, host, bytes }) => ({
    account: trafficId,
    usedOn: day,
    name: host,
    used: bytes,
  }))
}

interface Rows {
  readonly rows: ReturnType<typeof rowsFor>
}

const addToKnown = compiled<Rows>()((db, { rows }) =>
  db
    .updateTable('usageTargets as t')
    .from(rowsOf(rows, TARGET, 'u'))
    .set(({ eb, ref }) => ({ bytes: eb('t.bytes', '+', ref('u.used')) }))
    .whereRef('t.trafficId', '=', 'u.account')
    .whereRef('t.day', '=', 'u.usedOn')
    .whereRef('t.host', '=', 'u.name')
    .returning(['trafficId', 'day', 'host']),
)

const addTargets = compiled<Rows>()((db, { rows }) =>
  db
    .insertInto('usageTargets')
    .columns(['trafficId', 'day', 'host', 'bytes'])
    .expression(({ selectFrom, lit }) =>
      selectFrom(rowsOf(rows, TARGET, 'u'))
        .select(['u.account', 'u.usedOn', 'u.name', 'u.used'])
        // Without a condition SQLite would read ON CONFLICT as that of a join.
        .where(lit(1), '=', lit(1)),
    )
    // The row of the other hosts may be there already.
    .onConflict((same) =>
      same
        .columns(['trafficId', 'day', 'host'])
        .doUpdateSet(({ eb, ref }) => ({ bytes: eb('usageTargets.bytes', '+', ref('excluded.bytes')) })),
    ),
)

const countHosts = compiled<{ trafficIds: readonly number[]; days: readonly string[] }>()(
  (db, { trafficIds, days }) =>
    db
      .selectFrom('usageTargets')
      .select(['trafficId', 'day'])
      .select(({ fn }) => fn.countAll<number>().as('hosts'))
      .where('trafficId', 'in', listOf(trafficIds))
      .where('day', 'in', listOf(days))
      .where('host', '<>', OTHERS)
      .groupBy(['trafficId', 'day']),
)

/** Days for which hosts are kept (rules 12.9), today included. */
export const HOSTS_KEPT_DAYS = 30
const SWEEP_MS = 60 * 60_000
/** Rows deleted in one transaction; small, so that other writes are not delayed. */
const BATCH = 500

/** Makes the sweep of the job loop that deletes the hosts of old days. */
export function usageTargetSweep(deps: Essentials): () => Promise<void> {
  return every(SWEEP_MS, deps.clock, async () => {
    const before = daysAgo(deps.clock.now(), HOSTS_KEPT_DAYS - 1)
    for (;;) {
      const deleted = await deps.db.write((tx) => deleteTargets(tx, { before }))
      if (deleted.length < BATCH) return
    }
  })
}

const deleteTargets = compiled<{ before: string }>()((db, { before }) =>
  db
    .deleteFrom('usageTargets')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('trafficId', 'day', 'host'),
        'in',
        selectFrom('usageTargets')
          .select(['trafficId', 'day', 'host'])
          .where('day', '<', before)
          .limit(BATCH)
          .$asTuple('trafficId', 'day', 'host'),
      ),
    )
    .returning('day'),
)
