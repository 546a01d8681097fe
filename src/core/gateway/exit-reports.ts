import { dayOf } from '../calendar-day.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { rowsOf } from '../database/dialect.ts'
import type { ExitReport } from './wire.ts'

/** Stores what a gateway reports of its exits (rules 12.5), in the open transaction; those that were removed are left out. */
export async function storeReports(tx: Tx, now: Date, reports: readonly ExitReport[]): Promise<void> {
  if (reports.length === 0) return
  const rows = reports.map(({ healthy, reason, connect_ms: connectMs, ...report }) => ({
    ...report,
    healthy: healthy ? 1 : 0,
    reason: healthy ? null : reason,
    connectMs,
  }))
  await addReports(tx, { rows, now, midnight: `${dayOf(now)}T` })
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
  /** Not after any time of today, and after all of yesterday. */
  readonly midnight: string
}

const addReports = compiled<Reports>()((db, { rows, now, midnight }) =>
  db
    .updateTable('exits as e')
    .from(rowsOf(rows, REPORT, 'r'))
    .set(({ eb, ref, fn }) => ({
      healthy: eb('r.healthy', '=', 1).$castTo<boolean>(),
      reason: ref('r.reason'),
      // Without a connection since, the last one counts.
      connectMs: fn.coalesce(ref('r.connectMs'), ref('e.connectMs')),
      reportedAt: now,
      connections: eb('e.connections', '+', ref('r.connections')),
      bytes: eb('e.bytes', '+', ref('r.bytes')),
      errors: eb('e.errors', '+', ref('r.errors')),
      // The sums of an earlier day begin anew.
      bytesToday: eb
        .case()
        .when('e.reportedAt', '>=', midnight)
        .then(eb('e.bytesToday', '+', ref('r.bytes')))
        .else(ref('r.bytes'))
        .end(),
      errorsToday: eb
        .case()
        .when('e.reportedAt', '>=', midnight)
        .then(eb('e.errorsToday', '+', ref('r.errors')))
        .else(ref('r.errors'))
        .end(),
    }))
    .whereRef('e.id', '=', 'r.id'),
)
