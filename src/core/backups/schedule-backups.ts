import { every } from '../jobs/every.ts'
import { happened } from '../facts/happened.ts'
import type { BackupDeps } from './deps.ts'

const MINUTE_MS = 60_000
/** Time in ms from the start to the first backup ever, so that a new service is not delayed by it. */
const FIRST_AFTER_MS = 10 * MINUTE_MS
/** Time in ms from a failure to the next attempt, unless that is due earlier. */
const AGAIN_AFTER_MS = 60 * MINUTE_MS
/** Intervals without a good backup after which the operator is told. */
const OLD_AFTER_INTERVALS = 2

/** Makes the sweep of the loop that begins a backup when it is due, and tells the operator when the last good one is old. */
export function backupSchedule(deps: BackupDeps): () => Promise<void> {
  const { clock } = deps
  const began = clock.now().getTime()
  return every(MINUTE_MS, clock, async () => {
    const everyMs = deps.backups?.everyMs
    if (everyMs === undefined) return
    const now = clock.now().getTime()
    // The absolute value: a clock that was set back must not stop the backups.
    const since = (time: Date | string) => Math.abs(now - new Date(time).getTime())
    const backups = deps.db.read.$kysely.selectFrom('backups').select(['name', 'problem', 'endedAt']).limit(1)
    const last = await backups.orderBy('id', 'desc').executeTakeFirst()
    const due = last
      ? since(last.endedAt) >= (last.problem === null ? everyMs : Math.min(everyMs, AGAIN_AFTER_MS))
      : Math.abs(now - began) >= FIRST_AFTER_MS
    if (due) await requestBackup(deps)
    const good = await backups.where('problem', 'is', null).orderBy('id', 'desc').executeTakeFirst()
    const first = good ?? (await backups.orderBy('id').executeTakeFirst())
    if (first && isOldBackup(first.endedAt, everyMs, clock.now())) {
      const data = { since: good ? first.endedAt : null }
      const subject = good?.name ?? ''
      await deps.db.write(async (tx) => happened(tx, { kind: 'backup_old', subject, data }))
    }
  })
}

/** Tells whether a good backup of that time is too old; the absolute value copes with a clock that was set back. */
export function isOldBackup(endedAt: string, everyMs: number, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(endedAt)) > OLD_AFTER_INTERVALS * everyMs
}

/** Enqueues the job of a backup for now; does nothing while one is enqueued or being made. */
export async function requestBackup(deps: BackupDeps): Promise<void> {
  await deps.db.write((tx) => deps.jobs.enqueue(tx, 'back_up', 'now'))
}
