import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { backUpDatabase, DamagedDatabase } from '../../core/database/backup.ts'
import { openForReading } from '../../core/database/database.ts'
import { audit } from '../../core/books/audit.ts'
import { Refusal } from '../../operator/refusal.ts'
import { noDatabase, type Run } from '../run.ts'
import { unbalanced } from '../../operator/audit.ts'
import type { Difference } from '../../core/ledger/rule.ts'

/**
 * `backup FILE`: makes a verified copy of the live database. It never opens the session's core: the copy is made before any
 * migration, and by another SQLite library, which must not share a process with a connection to the same file (see backUpDatabase).
 */
export function backupCommand(run: Run): Command {
  return new Command('backup')
    .description('copy the database, which may be in use, and check the copy')
    .argument('<file>', 'file to make; must not exist')
    .action(
      run(async (session, name: string) => {
        if (!existsSync(session.database)) throw noDatabase(session.database)
        const file = resolve(name)
        const bytes = await backUpDatabase(session.database, file).catch((error: unknown) => {
          throw explained(error, file)
        })
        const differences = await auditCopy(file)
        if (differences.length > 0)
          throw unbalanced(differences, `The copy ${file} was made, but its books do not balance`)
        return {
          data: { file, bytes, integrity: 'ok', balanced: true },
          text: `Copied the database to ${file} (${bytes} bytes); the copy is sound and its books balance`,
        }
      }),
    )
}

async function auditCopy(file: string): Promise<Difference[]> {
  const db = openForReading(file)
  try {
    return await audit({ db })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal(
      'books_unreadable',
      `The copy ${file} was made, but has no books of this version: ${reason}`,
    )
  } finally {
    await db.close()
  }
}

function explained(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'EEXIST')
    return new Refusal('file_exists', `${file} exists already and is not overwritten`)
  if (error instanceof DamagedDatabase) {
    return new Refusal('damaged', `The database is damaged, no copy was kept: ${error.problems[0]}`, {
      data: { problems: error.problems },
    })
  }
  return new Refusal('backup_failed', `The copy could not be made: ${error.message}`)
}
