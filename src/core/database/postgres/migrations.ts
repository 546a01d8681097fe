import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'
import { projectUrl } from '../../../project-url.ts'

const directory = projectUrl('prisma/postgres/migrations/')

/** Names of the migrations for PostgreSQL, oldest first. The first one holds what those of SQLite before it made. */
export async function postgresMigrationNames(): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
}

/** Of the lock that processes take which start at the same time; any number, but the same in all versions. */
const LOCK = 7_310_020
/** A migration that waits so long for those who read or write gives way to them, and begins anew. */
const LOCK_TIMEOUT = '3s'
const ATTEMPTS = 20
const PAUSE_MS = 500
/** Others held a lock for too long, or waited for one of this transaction while it waited for theirs. */
const IN_THE_WAY = ['55P03', '40P01']

/**
 * Applies the migrations that the database does not have yet, all of them in one transaction, or none. Processes that start at the
 * same time wait for one another; the server that already runs goes on with the new tables (docs/several-machines.md).
 *
 * @throws when the database has a migration that this version does not know, or others are in the way all the time
 */
export async function migratePostgres(client: Client): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrate(client)
    } catch (error) {
      // A connection that broke off has nothing to roll back, and is the error to be told.
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
  // Whoever waits for a table keeps all others from it, even those who only read.
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
  // Before anything is there that could be locked: of two that make the same table, one fails.
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)',
  )
  // No server writes meanwhile: each of the two could wait for a table of the other.
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
