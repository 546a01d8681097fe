import { open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import sqlite3 from 'sqlite3'
import { SqliteDatabase } from './driver.ts'

/** How long the start of the copy waits for another process's lock. */
const LOCK_TIMEOUT_MS = 10_000
const LOCK_RETRY_MS = 50

/** What `Database#backup` of the sqlite3 package returns; its type declarations leave it out. */
interface Backup {
  readonly completed: boolean
  /** Copies this many pages, -1 for all that remain. */
  step(pages: number, callback: (error: (Error & { errno: number }) | null) => void): void
  finish(callback: () => void): void
}

/** The database is damaged; `problems` is what SQLite found. */
export class DamagedDatabase extends Error {
  override readonly name = 'DamagedDatabase'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the copy is damaged: ${problems[0] ?? 'unknown'}`)
    this.problems = problems
  }
}

/**
 * Copies a database that may be in use, as it stands at one moment, with SQLite's online backup (rules 10.12). The copy is one
 * file; an empty file has its name until the copy is complete and verified.
 *
 * Never in the process of the server: this is a second SQLite library, and closing its file would drop the locks that the
 * first one holds on the same file (a rule of POSIX, "How To Corrupt An SQLite Database File", 2.2.1).
 *
 * @param from file of the database
 * @param to file to make; readable by its owner only, as it holds passwords of proxies
 * @returns size of the copy in bytes
 * @throws an error with code EEXIST when `to` exists; DamagedDatabase
 */
export async function backUpDatabase(from: string, to: string): Promise<number> {
  await claim(to)
  const partial = `${to}.partial`
  try {
    await rm(partial, { force: true })
    await claim(partial)
    await copy(from, partial)
    checkCopy(partial)
    await rename(partial, to)
  } catch (error) {
    await Promise.all([rm(partial, { force: true }), rm(to, { force: true })])
    throw error
  }
  return (await stat(to)).size
}

/** Creates an empty file, which reserves the name and is an empty database to SQLite. Fails when it exists. */
async function claim(file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close()
}

async function copy(from: string, to: string): Promise<void> {
  const source = await openExisting(from)
  try {
    const backup = await new Promise<Backup>((resolve, reject) => {
      const started: Backup = (
        source as unknown as { backup(file: string, done: (error: Error | null) => void): Backup }
      ).backup(to, (error) => (error ? reject(error) : resolve(started)))
    })
    try {
      await copyAllPages(backup)
    } finally {
      await new Promise<void>((resolve) => backup.finish(resolve))
    }
  } finally {
    await new Promise<void>((resolve, reject) => source.close((error) => (error ? reject(error) : resolve())))
  }
}

/** Opened writable, although nothing is written: a read-only connection that closes last would leave the write-ahead log behind. */
function openExisting(file: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file, sqlite3.OPEN_READWRITE, (error) =>
      error ? reject(error) : resolve(database),
    )
  })
}

/** All pages in one step: between several steps a write of the service would restart the copy. */
async function copyAllPages(backup: Backup): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  for (;;) {
    const error = await new Promise<(Error & { errno: number }) | null>((resolve) => backup.step(-1, resolve))
    if (backup.completed) return
    const locked = error === null || error.errno === sqlite3.BUSY || error.errno === sqlite3.LOCKED
    if (!locked || performance.now() > deadline) throw error ?? new Error('the database stayed locked')
    await delay(LOCK_RETRY_MS)
  }
}

/**
 * Verifies the copy of a database; afterwards all of it is in this one file.
 *
 * @throws DamagedDatabase; an error of SQLite when it is no database
 */
export function checkCopy(file: string): void {
  const copied = new SqliteDatabase(file)
  try {
    // Write-ahead logging would keep part of the copy in files of their own; the service turns it on again when it opens it.
    copied.pragma('journal_mode = DELETE')
    const problems = copied.pragma('integrity_check') as { integrity_check: string }[]
    if (problems.length !== 1 || problems[0]?.integrity_check !== 'ok') {
      throw new DamagedDatabase(problems.map((problem) => problem.integrity_check))
    }
    const orphans = copied.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[]
    if (orphans.length > 0) {
      throw new DamagedDatabase(
        orphans.map(({ table, rowid, parent }) => `row ${rowid} of ${table} belongs to no row of ${parent}`),
      )
    }
  } finally {
    copied.close()
  }
}
