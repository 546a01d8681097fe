import type { Tx } from '../database/database.ts'
import type { MadeBackup } from './backup-maker.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** An attempt at a backup that has ended. */
export interface EndedBackup extends MadeBackup {
  readonly name: string
  readonly startedAt: Date
}

/**
 * Records the outcome of a backup, in the open transaction. The operator is told when a backup first fails, when another problem takes
 * the place of that one, and when backups work again (rules 10.15).
 */
export async function recordBackupIn(deps: Essentials, tx: Tx, ended: EndedBackup): Promise<void> {
  const { name, bytes, places, problem, startedAt } = ended
  const before = await tx.$kysely
    .selectFrom('backups')
    .select('problem')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = {
    name,
    bytes,
    places: JSON.stringify(places),
    problem: problem?.code ?? null,
    detail: problem?.detail.slice(0, 500) ?? null,
    startedAt,
    endedAt: deps.clock.now(),
  }
  await tx.$kysely.insertInto('backups').values(row).execute()
  if ((problem?.code ?? null) === (before?.problem ?? null)) return
  happened(
    tx,
    problem
      ? {
          kind: 'backup_failed',
          subject: name,
          data: { problem: problem.code, detail: problem.detail.slice(0, 500), places },
        }
      : { kind: 'backup_works', subject: name, data: { bytes, places } },
  )
}

/** Records a backup that a command has made. */
export async function recordBackup(deps: Essentials, ended: EndedBackup): Promise<void> {
  await deps.db.write((tx) => recordBackupIn(deps, tx, ended))
}
