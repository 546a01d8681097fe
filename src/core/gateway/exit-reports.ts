import { daysAgo, dayOf } from '../calendar-day.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { rowsOf } from '../database/dialect.ts'
import { every } from '../jobs/every.ts'
import type { ExitReport } from './wire.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Stores what a gateway reports of its exits (rules 12.5), in the open transaction; removed exits are left out. */
export async function storeReports(tx: Tx, now: Date, reports: readonly ExitReport[]): Promise<void> {
  if (reports.length === 0) return
  const rows = joined(reports).map(({ healthy, reason, connect_ms: connectMs, ...report }) => ({
    ...report,
    healthy: healthy ? 1 : 0,
    reason: healthy ? null : reason,
    connectMs,
  }))
  await addReports(tx, { rows, now })
  const used = rows.filter(({ bytes, errors }) => bytes + errors > 0)
  if (used.length > 0) await addToDay(tx, { rows: used, day: dayOf(now) })
}

/** Merges the reports of each exit: counts are added up, the state is that of the last report. */
function joined(reports: readonly ExitReport[]): ExitReport[] {
  const byExit = new Map<number, ExitReport>()
  for (const report of reports) {
    const before = byExit.get(report.id)
    byExit.set(report.id, {
      ...report,
      connect_ms: report.connect_ms ?? before?.connect_ms ?? null,
      connections: report.connections + (before?.connections ?? 0),
      bytes: report.bytes + (before?.bytes ?? 0),
      errors: report.errors + (before?.errors ?? 0),
    })
  }
  return [...byExit.values()]
}

/** Days for which the use of exits is kept (rules 12.5), today included. */
const KEPT_DAYS = 30
const SWEEP_MS = 60 * 60_000

/** Makes the sweep of the job loop that deletes the use of exits on old days. */
export function exitDaySweep({ db, clock }: Essentials): () => Promise<void> {
  return every(SWEEP_MS, clock, async () => {
    const before = daysAgo(clock.now(), KEPT_DAYS - 1)
    await db.write((tx) => tx.$kysely.deleteFrom('exitDays').where('day', '<', before).execute())
  })
}

const REPORT = {
  id: 'integer',
  healthy: 'integer',
  reason: 'text',
  connectMs: 'integer',
  connections: 'integer',
  bytes: 'integer',
  errors: 'integer',
} as const

interface ReportRow {
  readonly id: number
  readonly healthy: number
  readonly reason: string | null
  readonly connectMs: number | null
  readonly connections: number
  readonly bytes: number
  readonly errors: number
}

interface Reports {
  readonly rows: readonly ReportRow[]
  readonly now: Date
}

const addReports = compiled<Reports>()((db, { rows, now }) =>
  db
    .updateTable('exits as e')
    .from(rowsOf(rows, REPORT, 'r'))
    .set(({ eb, ref, fn }) => ({
      healthy: eb('r.healthy', '=', 1).$castTo<boolean>(),
      reason: ref('r.reason'),
      // Without a new connection, the time of the last one stays.
      connectMs: fn.coalesce(ref('r.connectMs'), ref('e.connectMs')),
      reportedAt: now,
      connections: eb('e.connections', '+', ref('r.connections')),
      bytes: eb('e.bytes', '+', ref('r.bytes')),
      errors: eb('e.errors', '+', ref('r.errors')),
    }))
    .whereRef('e.id', '=', 'r.id'),
)

const addToDay = compiled<Pick<Reports, 'rows'> & { readonly day: string }>()((db, { rows, day }) =>
  db
    .insertInto('exitDays')
    .columns(['exitId', 'day', 'bytes', 'errors'])
    .expression(({ selectFrom, val }) =>
      selectFrom(rowsOf(rows, REPORT, 'r'))
        // Leaves out exits that were removed.
        .innerJoin('exits as e', 'e.id', 'r.id')
        .select(['r.id', val(day).as('day'), 'r.bytes', 'r.errors'])
        .whereRef('e.id', '=', 'r.id'),
    )
    .onConflict((same) =>
      same.columns(['exitId', 'day']).doUpdateSet(({ eb, ref }) => ({
        bytes: eb('exitDays.bytes', '+', ref('excluded.bytes')),
        errors: eb('exitDays.errors', '+', ref('excluded.errors')),
      })),
    ),
)
