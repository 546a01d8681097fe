import { checkCopy } from '../database/backup.ts'
import { openForReading, pendingMigrations } from '../database/database.ts'
import { audit } from '../books/audit.ts'
import type { Difference } from '../ledger/rule.ts'

/** The state of a copy of a database. */
export interface ExaminedCopy {
  /** Number of migrations that it lacks: it is of an older version, and is migrated when it is opened. */
  readonly pending: number
  /** Differences in its books; undefined where it is of an older version, whose books this one cannot read. */
  readonly differences: readonly Difference[] | undefined
}

/**
 * Examines a copy of a database, as it would be restored: integrity, version and books. Not for the database in use.
 *
 * @throws DamagedDatabase; Error when it is no database of this service, or of a newer version
 */
export async function examineCopy(file: string): Promise<ExaminedCopy> {
  checkCopy(file)
  const pending = (await pendingMigrations(file)).length
  if (pending > 0) return { pending, differences: undefined }
  const db = openForReading(file)
  try {
    return { pending, differences: await audit({ db }) }
  } finally {
    await db.close()
  }
}
