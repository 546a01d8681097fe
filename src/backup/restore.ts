import { createWriteStream, existsSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { examineCopy, type ExaminedCopy } from '../core/backups/examine-copy.ts'
import { lostSince, type LostSince } from '../core/backups/lost-since.ts'
import { tryLock } from '../core/database/instance-lock.ts'
import { OperatorError } from '../core/operator-error.ts'
import { unpack } from './pack.ts'
import type { StoredBackup } from './place.ts'
import { placesOf } from './places.ts'
import type { BackupSettings } from './settings.ts'
import { synced } from './synced.ts'
import { BUSY, inWorkFolder } from './work-folder.ts'
import type { BackupPlace } from '../core/facts/backup-place.ts'

/** A restored copy, and the database that it has replaced. */
export interface Restored extends ExaminedCopy {
  /** The file that was the database; undefined where there was none. */
  readonly replaced: string | undefined
  /** What happened after the backup; undefined where the replaced file could not be compared. */
  readonly lost: LostSince | undefined
}

/** Lists the backups in all places that can be listed, newest first. */
export async function storedBackups(
  settings: BackupSettings,
): Promise<(StoredBackup & { readonly place: BackupPlace })[]> {
  const lists = await Promise.all(
    placesOf(settings).map(async ({ name, list }) =>
      ((await list?.()) ?? []).map((stored) => ({ ...stored, place: name })),
    ),
  )
  return lists.flat().toSorted((a, b) => b.name.localeCompare(a.name))
}

/**
 * Restores a backup as a trial, and nothing else.
 *
 * @param which a file, or the name of a backup in one of the places
 * @throws OperatorError when there is no such backup, or it cannot be unpacked; DamagedDatabase
 */
export function verifyBackup(settings: BackupSettings, which: string): Promise<ExaminedCopy> {
  return unpacked(settings, which, examineCopy)
}

/**
 * Puts a backup in the place of the database, whose file is kept beside it (rules 10.16).
 *
 * @param which as for {@link verifyBackup}
 * @throws OperatorError as {@link verifyBackup}, also on PostgreSQL, and while a server runs; DamagedDatabase
 */
export async function restoreBackup(settings: BackupSettings, which: string, now: Date): Promise<Restored> {
  const { database, postgres } = settings
  if (postgres)
    throw new OperatorError(
      'A backup is restored into a file: run this with a file: DATABASE_URL, then "operator copy" it to an empty PostgreSQL database',
    )
  const unlock = tryLock(database, 0)
  if (!unlock) throw new OperatorError('A server is running on this database: stop it first')
  try {
    return await unpacked(settings, which, async (copy) => {
      const examined = await examineCopy(copy)
      if (!existsSync(database)) {
        await rename(copy, database)
        return { ...examined, replaced: undefined, lost: undefined }
      }
      const lost = await lostSince(database, copy).catch(() => undefined)
      const replaced = `${database}.replaced-${now.toISOString().replaceAll(/[:.]/g, '-')}`
      // A link, so that there is a database at any moment. A write-ahead log that stayed would be applied to the restored database.
      await link(database, replaced)
      if (existsSync(`${database}-wal`)) await rename(`${database}-wal`, `${replaced}-wal`)
      await rm(`${database}-shm`, { force: true })
      await rename(copy, database)
      await synced(dirname(database))
      return { ...examined, replaced, lost }
    })
  } finally {
    unlock()
  }
}

async function unpacked<Result>(
  settings: BackupSettings,
  which: string,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  const done = await inWorkFolder(settings.database, async (folder) => {
    const copy = join(folder, 'restored.db')
    await unpack(await found(settings, which, folder), copy, settings.key)
    return { result: await work(copy) }
  })
  if (!done) throw new OperatorError(BUSY)
  return done.result
}

/** Returns the path of a backup, which is fetched into the folder unless it is a file here. */
async function found(settings: BackupSettings, which: string, folder: string): Promise<string> {
  if (existsSync(which)) return which
  for (const place of placesOf(settings)) {
    const stored = (await place.list?.()) ?? []
    if (!stored.some(({ name }) => name === which)) continue
    const fetched = join(folder, 'fetched')
    await pipeline(await place.open(which), createWriteStream(fetched))
    return fetched
  }
  throw new OperatorError(
    `There is no file and no backup ${which}; \`backup list\` shows those that there are`,
  )
}
