import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BackupProblem, MadeBackup, NoAttempt } from '../core/backups/backup-maker.ts'
import { examineCopy } from '../core/backups/examine-copy.ts'
import { backUpDatabase, DamagedDatabase } from '../core/database/backup.ts'
import { copyFromPostgres, sizeOfPostgres } from '../core/database/postgres/copy.ts'
import { ending, pack, unpack } from './pack.ts'
import { NewerDatabase } from '../core/database/postgres/migrations.ts'
import type { Place } from './place.ts'
import { placesOf } from './places.ts'
import type { BackupSettings } from './settings.ts'
import { inWorkFolder } from './work-folder.ts'

/** Bytes that stay free for the service, which cannot sell on a full disk. */
const RESERVE_BYTES = 200_000_000
/** Room that is needed, in sizes of the database: for the copy and the packed files, which are smaller. */
const COPIES = 3
/** Error codes of a full disk. */
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])

/**
 * Copies the database, stores the packed copy everywhere, reads it back and restores it as a trial (rules 10.15).
 * Never in a process that has the database open; see {@link backUpDatabase}.
 */
export async function makeBackup(
  settings: BackupSettings,
  name: string,
): Promise<MadeBackup | Exclude<NoAttempt, 'stopped'>> {
  try {
    const made = await inWorkFolder(settings.database, (work) =>
      carryOut(settings, name + ending(settings.key), work),
    )
    return made ?? 'busy'
  } catch (error) {
    if (error instanceof NewerDatabase) return 'newer'
    return failed(problemOf(error), messageOf(error))
  }
}

async function carryOut(settings: BackupSettings, name: string, work: string): Promise<MadeBackup> {
  const { database, postgres, key, keep } = settings
  const [copy, packed, back, restored] = ['copy.db', 'packed', 'back', 'restored.db'].map((file) =>
    join(work, file),
  ) as [string, string, string, string]
  const size = postgres ? await sizeOfPostgres(postgres) : (await stat(database)).size
  const { bavail, bsize } = await statfs(work)
  if (bavail * bsize < COPIES * size + RESERVE_BYTES) {
    return failed(
      'no_room',
      `${bavail * bsize} bytes are free, and ${COPIES * size + RESERVE_BYTES} are needed`,
    )
  }
  // A backup is a SQLite database, whatever the shop is on: it can be restored on either.
  await (postgres ? copyFromPostgres(postgres, copy) : backUpDatabase(database, copy))
  await pack(copy, packed, key)
  await rm(copy)
  const { size: bytes } = await stat(packed)
  const digest = await digestOf(packed)

  const stored: Place[] = []
  let problem: MadeBackup['problem']
  for (const place of placesOf(settings)) {
    try {
      await place.store(packed, name)
      await pipeline(await place.open(name), createWriteStream(back))
      if ((await digestOf(back)) !== digest) throw new Error('what was read back is something else')
      stored.push(place)
    } catch (error) {
      problem ??= { code: place.name, detail: messageOf(error) }
      await place.remove(name).catch(() => {})
    }
  }
  if (stored.length > 0) {
    // All stored copies are equal: one restore verifies them all.
    try {
      await rm(packed)
      await unpack(back, restored, key)
      const { differences } = await examineCopy(restored)
      const [first] = differences ?? []
      if (first) problem = { code: 'unbalanced', detail: `${first.rule}: ${first.subject}, ${first.detail}` }
    } catch (error) {
      for (const place of stored.splice(0)) await place.remove(name)
      problem = { code: 'damaged', detail: messageOf(error) }
    }
  }
  if (!problem) for (const place of stored) await removeOld(place, keep)
  return { bytes, places: stored.map(({ name }) => name), problem }
}

/** Removes the oldest backups; their names sort by time. Only after a good one: those from before a fault are kept. */
async function removeOld(place: Place, keep: number): Promise<void> {
  const names = ((await place.list?.()) ?? []).map(({ name }) => name).toSorted()
  for (const name of names.slice(0, -keep)) await place.remove(name)
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

function failed(code: BackupProblem, detail: string): MadeBackup {
  return { bytes: 0, places: [], problem: { code, detail } }
}

function problemOf(error: unknown): BackupProblem {
  if (error instanceof DamagedDatabase) return 'damaged'
  return NO_ROOM.has((error as NodeJS.ErrnoException).code ?? '') ? 'no_room' : 'failed'
}

/** Returns the message of an error with that of its root cause: `fetch failed` alone says nothing. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  let cause: unknown = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return error.message.includes(reason) ? error.message : `${error.message}: ${reason}`
}
