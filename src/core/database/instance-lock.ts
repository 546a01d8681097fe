import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { databasePath } from './database-path.ts'
import { type SqliteConnection, SqliteDatabase } from './driver.ts'

/**
 * Makes sure that only one server works on a database: jobs, the bot's polling, the order of updates and migrations rely on it.
 * The lock is SQLite's own file lock on a file beside the database, so the operating system frees it however the process ends.
 *
 * @returns a function that frees the lock
 * @throws OperatorError when another server has it, or the file cannot be made
 */
export function lockInstance(databaseUrl: string): () => void {
  const unlock = tryLock(databasePath(databaseUrl), 0)
  if (unlock) return unlock
  throw new OperatorError(
    'Another server is running on this database. Stop it first, or set another DATABASE_URL.',
  )
}

/**
 * Takes the lock of {@link lockInstance} if it is free.
 *
 * @param path file of the database
 * @param waitMs how long to wait for it; blocks the process
 * @returns a function that frees the lock; undefined while another process has it
 * @throws OperatorError when the file cannot be made
 */
export function tryLock(path: string, waitMs: number): (() => void) | undefined {
  const file = `${path}.lock`
  let lock: SqliteConnection | undefined
  try {
    mkdirSync(dirname(path), { recursive: true })
    lock = new SqliteDatabase(file, { timeout: waitMs })
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock?.close()
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'SQLITE_BUSY') return undefined
    throw new OperatorError(`The file ${file} cannot be written: ${message}`, { cause })
  }
  return () => lock.close()
}
