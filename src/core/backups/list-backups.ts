import type { BackupProblem } from '../../generated/kysely/tables.ts'
import { compiled } from '../database/compiled.ts'
import { parsed } from '../database/dialect.ts'
import type { BackupPlace } from '../facts/backup-place.ts'
import type { BackupDeps } from './deps.ts'

/** A backup, or an attempt at one. */
export interface Backup {
  readonly name: string
  readonly bytes: number
  readonly places: readonly BackupPlace[]
  /** Null: it was restored as a trial, and all was well. */
  readonly problem: BackupProblem | null
  readonly detail: string | null
  readonly startedAt: string
  readonly endedAt: string
}

export interface BackupOverview {
  /** Null: only when somebody asks. */
  readonly everyMs: number | null
  /** Whether one is waited for or being made. */
  readonly underWay: boolean
  /** Newest first. */
  readonly last: readonly Backup[]
  /** The newest without a problem; null when there is none. */
  readonly good: Backup | null
}

/** How the backups stand. */
export async function backupOverview({ db, backups }: BackupDeps, limit = 10): Promise<BackupOverview> {
  const [job] = await findJob(db.read, {})
  const [good] = await findGood(db.read, {})
  return {
    everyMs: backups?.everyMs ?? null,
    underWay: job !== undefined,
    last: await findLast(db.read, { limit }),
    good: good ?? null,
  }
}

const COLUMNS = ['name', 'bytes', 'problem', 'detail', 'startedAt', 'endedAt'] as const

const findLast = compiled<{ limit: number }>()((db, { limit }) =>
  db
    .selectFrom('backups')
    .select(COLUMNS)
    .select(({ ref }) => parsed<readonly BackupPlace[]>(ref('places')).as('places'))
    .orderBy('id', 'desc')
    .limit(limit),
)

const findGood = compiled<object>()((db) =>
  db
    .selectFrom('backups')
    .select(COLUMNS)
    .select(({ ref }) => parsed<readonly BackupPlace[]>(ref('places')).as('places'))
    .where('problem', 'is', null)
    .orderBy('id', 'desc')
    .limit(1),
)

const findJob = compiled<object>()((db) =>
  db.selectFrom('jobs').select('id').where('kind', '=', 'back_up').limit(1),
)
