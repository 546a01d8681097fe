import { readdir, readFile } from 'node:fs/promises'
import type { Client } from 'pg'
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

/**
 * Applies the migrations that the database does not have yet, all of them in one transaction, or none. Processes that start at the
 * same time wait for one another; the server that already runs goes on with the new tables (docs/several-machines.md).
 *
 * @throws when the database has a migration that this version does not know
 */
export async function migratePostgres(client: Client): Promise<void> {
  const known = await postgresMigrationNames()
  if ((await pending(client, known)).length === 0) return
  await client.query('BEGIN')
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)',
  )
  await client.query('LOCK TABLE schema_migrations IN SHARE ROW EXCLUSIVE MODE')
  for (const name of await pending(client, known)) {
    await client.query(await readFile(new URL(`${name}/migration.sql`, directory), 'utf8'))
    await client.query('INSERT INTO schema_migrations VALUES ($1, now())', [name])
  }
  await client.query('COMMIT')
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
  if (unknown !== undefined)
    throw new Error(`it is of a newer version of this service (${unknown}). Start that version`)
  return known.filter((name) => !applied.includes(name))
}
