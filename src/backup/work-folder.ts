import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tryLock } from '../core/database/instance-lock.ts'

/** The message for somebody who has to wait. */
export const BUSY = 'A backup is being made or verified: wait until that is done'

const folderOf = (database: string) => join(dirname(database), 'backup-work')

/** Removes what killed work has left, unless other work has the folder. */
export async function clearWorkFolder(database: string): Promise<void> {
  if (existsSync(folderOf(database))) await inWorkFolder(database, () => Promise.resolve())
}

/**
 * Runs work in an empty folder that is removed afterwards, or, after a kill, by the next work. It is beside the database, and not
 * where the backups are, which may be another machine: the files in it are not encrypted.
 *
 * @returns undefined while other work has the folder
 */
export async function inWorkFolder<Result>(
  database: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result | undefined> {
  const folder = folderOf(database)
  const unlock = tryLock(folder, 0)
  if (!unlock) return undefined
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
    unlock()
  }
}
