import type { BackupProblem } from '../../generated/kysely/tables.ts'
import { parsed } from '../database/dialect.ts'
import type { BackupPlace } from '../facts/backup-place.ts'
import type { BackupDeps } from './deps.ts'

/** A backup, or an attempt at one. */
export interface Backup {
  readonly name: string
  readonly bytes: number
  readonly places: readonly BackupPlace[]
  /** Null: it was restored as a trial without a problem. */
  readonly problem: BackupProblem | null
  readonly detail: string | null
  readonly startedAt: string
  readonly endedAt: string
}

export interface BackupOverview {
  /** Interval in ms; null: only when somebody asks. */
  readonly everyMs: number | null
  /** Whether a backup is enqueued or being made. */
  readonly underWay: boolean
  /** The latest attempts, newest first. */
  readonly last: readonly Backup[]
  /** The newest without a problem; null when there is none. */
  readonly good: Backup | null
}

/** Reads the latest attempts at backups, the newest good one, and whether one is under way. */
export async function backupOverview({ db, backups }: BackupDeps, limit = 10): Promise<BackupOverview> {
  const job = await db.read.$kysely
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'back_up')
    .executeTakeFirst()
  const newest = db.read.$kysely
    .selectFrom('backups')
    .select(['name', 'bytes', 'problem', 'detail', 'startedAt', 'endedAt'])
    .select(({ ref }) => parsed<readonly BackupPlace[]>(ref('places')).as('places'))
    .orderBy('id', 'desc')
  const good = await newest.where('problem', 'is', null).limit(1).executeTakeFirst()
  return {
    everyMs: backups?.everyMs ?? null,
    underWay: job !== undefined,
    last: await newest.limit(limit).execute(),
    good: good ?? null,
  }
}
