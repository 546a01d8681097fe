import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { backupName } from './backup-name.ts'
import { recordBackupIn } from './record-backup.ts'
import type { BackupDeps } from './deps.ts'

const LATER_MS = 60_000
const REASONS = {
  busy: 'another backup is being made or verified',
  newer: 'the database is of a newer version of this service, which has to lead first',
}

/**
 * Carries out the job of a backup that is due or was asked for. After a crash the job begins another one. It waits while an operator
 * makes or verifies a backup, and during an update until the new version leads.
 */
export async function carryOutBackup(
  deps: BackupDeps,
  job: ClaimedJob<'back_up'>,
): Promise<RetryLater | undefined> {
  const startedAt = deps.clock.now()
  const name = backupName(startedAt)
  const made = deps.backups && (await deps.backups.maker.make(name))
  if (made === 'stopped') return { waiting: true, reason: 'the service was stopped' }
  if (typeof made === 'string') return { waiting: true, retryAfterMs: LATER_MS, reason: REASONS[made] }
  await deps.db.write(async (tx) => {
    if (made) await recordBackupIn(deps, tx, { ...made, name, startedAt })
    await deps.jobs.finish(tx, job)
  })
  return undefined
}
