import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'
import { projectUrl } from '../../../project-url.ts'

const directory = projectUrl('prisma/postgres/migrations/')

/**
 * Returns the names of the migrations for PostgreSQL, oldest first. The first one creates the schema that those of SQLite had reached by
 * then.
 */
export async function postgresMigrationNames(): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
}

/** Key of the advisory lock for processes that start at the same time; an arbitrary number, the same in all versions. */
const LOCK = 7_310_020
/** How long a migration waits for a lock that readers or writers hold, before it rolls back and retries. */
const LOCK_TIMEOUT = '3s'
const ATTEMPTS = 20
const PAUSE_MS = 500
/** SQLSTATE codes that are retried: lock timeout and deadlock. */
const IN_THE_WAY = ['55P03', '40P01']

/**
 * Applies the migrations that the database does not have yet, all of them in one transaction, or none. Processes that start at the same
 * time wait for one another; the server that already runs goes on with the new tables (docs/several-machines.md).
 *
 * @throws when the database has a migration that this version does not know, or locks are not free at any attempt
 */
export async function migratePostgres(client: Client): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrate(client)
    } catch (error) {
      // A broken connection has nothing to roll back; its own error is the one to throw.
      await client.query('ROLLBACK').catch(() => {})
      const isInTheWay = error instanceof DatabaseError && IN_THE_WAY.includes(error.code ?? '')
      if (!isInTheWay || attempt === ATTEMPTS) throw error
      await setTimeout(PAUSE_MS)
    }
  }
}

async function migrate(client: Client): Promise<void> {
  const known = await postgresMigrationNames()
  if ((await pending(client, known)).length === 0) return
  await client.query('BEGIN')
  // A statement that waits for a table lock blocks all later ones on that table, even reads.
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
  // Advisory, as the table to lock may not exist yet: of two processes that create it, one would fail.
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)',
  )
  // Keeps servers from writing meanwhile: a writer and the migration could deadlock.
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('write_turn') IS NOT NULL AS found",
  )
  if (rows[0]?.found) await client.query('SELECT FROM write_turn FOR NO KEY UPDATE')
  for (const name of await pending(client, known)) {
    await client.query(await readFile(new URL(`${name}/migration.sql`, directory), 'utf8'))
    await client.query('INSERT INTO schema_migrations VALUES ($1, now())', [name])
  }
  await client.query('COMMIT')
}

/** The database has a migration that this version does not know. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'

  constructor(migration: string) {
    super(`it is of a newer version of this service (${migration}). Start that version`)
  }
}

/** @throws NewerDatabase */
export async function requireKnown(client: Client): Promise<void> {
  await pending(client, await postgresMigrationNames())
}

async function pending(client: Client, known: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS found",
  )
  const applied = rows[0]?.found
    ? (await client.query<{ name: string }>('SELECT name FROM schema_migrations')).rows.map(
        ({ name }) => name,
      )
    : []
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new NewerDatabase(unknown)
  return known.filter((name) => !applied.includes(name))
}
