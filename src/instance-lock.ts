import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { databasePath } from './core/database/database.ts'

/**
 * Makes sure that one server works on a database: jobs, the bot's polling and the order of updates rely on it. The lock is
 * SQLite's own file lock on a file beside the database, so the operating system frees it when the process dies, however.
 *
 * @returns frees the lock
 * @throws when another server has it, or the file cannot be made
 */
export function lockInstance(databaseUrl: string): () => void {
  const path = databasePath(databaseUrl)
  mkdirSync(dirname(path), { recursive: true })
  const file = `${path}.lock`
  let lock: SqliteDatabase.Database | undefined
  try {
    lock = new SqliteDatabase(file, { timeout: 0 })
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock?.close()
    const { code, message } = cause as InstanceType<typeof SqliteDatabase.SqliteError>
    throw new Error(
      code === 'SQLITE_BUSY'
        ? 'Another server is running on this database. Stop it first, or set another DATABASE_URL.'
        : `The file ${file} cannot be written: ${message}`,
      { cause },
    )
  }
  return () => lock.close()
}
