import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { clientOf, type CommitListener, type Database, type DatabaseObserver, type Tx } from './client.ts'
import { databasePath, isPostgres } from './database-path.ts'
import { SqliteDatabase } from './driver.ts'
import { tryLock } from './instance-lock.ts'
import { execute, queriesOver, sqliteBuilder } from './queries.ts'
import { migrationNames } from './migration-names.ts'
import { sqliteAdapter } from './sqlite-adapter.ts'
import { Statements } from './statements.ts'
import { WriteLane } from './write-lane.ts'

export { nameOfUpdate } from './client.ts'
export type { Cluster, Database, DatabaseObserver, InboxUpdate, Readable, ReadClient, Tx } from './client.ts'
export { INBOX, withWrite } from './client.ts'
export { databasePath, isPostgres, shownUrl } from './database-path.ts'
export { databaseUnavailable } from './sqlite-error.ts'

/** Waiting blocks the event loop, so it is only as long as a commit of another process takes. */
const BUSY_TIMEOUT_MS = 50
/** Size to which the write-ahead log is truncated; it is checkpointed at a quarter of this (1000 pages) when nobody reads. */
const LOG_LIMIT_BYTES = 16 * 1024 * 1024
/** How long a write waits for an operator command's transaction before it is refused. */
const LOCK_TIMEOUT_MS = 5_000
/** How long in ms a command waits for its turn to write: longer than a request, for which a client holds a connection open. */
export const COMMAND_TURN_MS = 60_000
/** How long a command waits for another command that is migrating the database. */
const MIGRATION_WAIT_MS = 1_000

interface OpenOptions {
  /** Told about slow statements and groups of writes. */
  readonly observer?: DatabaseObserver
  /** The caller holds the instance lock of the database; see {@link tryLock}. */
  readonly locked?: boolean
  /** How long a write waits for its turn, in milliseconds, where that is longer than for a request. */
  readonly turnMs?: number
}

/**
 * Opens the database, creates it when it is missing and applies the migrations that it does not have yet. Whoever does not hold
 * the instance lock migrates only while no server runs: an older one would go on with a schema that it does not know.
 *
 * @param url `file:` URL as in DATABASE_URL, where a relative path counts from the working directory, or a `postgresql://` URL
 * @throws OperatorError when it cannot be opened or brought up to date, or is of a newer version; the message names the file
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  if (isPostgres(url)) {
    const { openPostgres } = await import('./postgres/open.ts')
    return openPostgres(url, options.observer, options.turnMs)
  }
  const path = databasePath(url)
  try {
    mkdirSync(dirname(path), { recursive: true })
    await migrate(path, options.locked ?? false)
    return connect(path, options)
  } catch (error) {
    // The schema engine's messages have its stack in them.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new OperatorError(`The database ${path} cannot be opened: ${reason}`, { cause: error })
  }
}

function connect(path: string, { observer, turnMs = LOCK_TIMEOUT_MS }: OpenOptions): Database {
  const writer = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS })
  // synchronous FULL: an acknowledged order survives a power cut; group commit makes up for the cost.
  // journal_size_limit: a slow reader lets the write-ahead log grow; afterwards the file is truncated.
  // temp_store MEMORY: savepoints keep their undo data there, not in temporary files (which would hold passwords, too).
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    `journal_size_limit = ${LOG_LIMIT_BYTES}`,
    'temp_store = MEMORY',
  ])
    writer.pragma(pragma)

  const reader = openForReading(path, observer)
  const statements = new Statements(
    writer,
    () => {
      if (!writer.inTransaction) throw new Error('The write client was used outside the write lane')
    },
    observer?.slowStatement,
  )
  const added = new Set<string>()
  const tx = client(statements, added)
  const listeners = new Set<CommitListener>()
  const lane = new WriteLane<Tx>(
    writer,
    tx,
    turnMs,
    (group) => {
      observer?.group(group)
      const heard = new Set(added)
      added.clear()
      for (const listener of listeners) listener(heard)
    },
    () => observer?.unwritten?.(),
  )

  return {
    read: reader.read,
    write: (job) => lane.write(job),
    onCommit: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      await lane.idle()
      await reader.close()
      writer.close()
    },
  }
}

/** Opens the database in a file as it is: nothing is created, migrated or written. */
export function openForReading(path: string, observer?: DatabaseObserver): Pick<Database, 'read' | 'close'> {
  const connection = new SqliteDatabase(path, { readonly: true, timeout: BUSY_TIMEOUT_MS })
  connection.pragma('cache_size = -65536')
  const read = client(new Statements(connection, undefined, observer?.slowStatement))
  return {
    read,
    close: () => {
      connection.close()
      return Promise.resolve()
    },
  }
}

function client(statements: Statements, added?: Set<string>): Tx {
  return clientOf('sqlite', {
    ...(added && { added }),
    queries: queriesOver(statements),
    builder: sqliteBuilder,
    run: (query) => execute(statements, query),
    // Prisma's long error messages quote the calling line, for which it takes a stack trace at every call.
    prisma: async () => {
      const { PrismaClient } = await import('../../generated/prisma/client.ts')
      return new PrismaClient({ adapter: sqliteAdapter(statements), errorFormat: 'minimal' })
    },
  })
}

/**
 * Applies pending migrations. The schema engine is not loaded when nothing is pending.
 *
 * @param locked whether this process holds the instance lock
 */
async function migrate(path: string, locked: boolean): Promise<void> {
  if ((await pendingMigrations(path)).length === 0) return
  const unlock = locked ? () => {} : tryLock(path, MIGRATION_WAIT_MS)
  if (unlock) {
    try {
      await applyPending(path)
    } finally {
      unlock()
    }
  } else if ((await pendingMigrations(path)).length > 0) {
    throw new Error(
      'a server is running on it with an older version. Stop the server, or use the commands of that version; nothing was changed',
    )
  }
}

/**
 * Returns the names of the migrations that the database does not have yet.
 *
 * @throws when it has one that this version does not know
 */
export async function pendingMigrations(path: string): Promise<string[]> {
  const connection = new SqliteDatabase(path, { timeout: LOCK_TIMEOUT_MS })
  try {
    const hasHistory = connection
      .prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'")
      .get()
    const finished = hasHistory
      ? connection
          .prepare('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL')
          .pluck()
          .all()
          .map(String)
      : []
    const known = await migrationNames()
    const unknown = finished.find((name) => !known.includes(name))
    if (unknown !== undefined) {
      throw new Error(
        `it is of a newer version of this service (${unknown}). Start that version, or restore a backup from before the update`,
      )
    }
    return known.filter((name) => !finished.includes(name))
  } finally {
    connection.close()
  }
}

/**
 * Applies all pending migrations in one exclusive transaction: whatever happens in the middle, the schema is the old one or the new
 * one.
 */
async function applyPending(path: string): Promise<void> {
  const connection = new SqliteDatabase(path, { timeout: LOCK_TIMEOUT_MS })
  try {
    // Migrations that rebuild a table drop it; inside of a transaction foreign keys cannot be turned off any more.
    connection.pragma('foreign_keys = OFF')
    connection.exec('BEGIN IMMEDIATE')
    const { applyMigrations } = await import('./schema-engine.ts')
    await applyMigrations(sqliteAdapter(new Statements(connection)))
    connection.exec('COMMIT')
  } finally {
    connection.close()
  }
}
