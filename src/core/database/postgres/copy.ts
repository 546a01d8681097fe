import { open, rename, rm } from 'node:fs/promises'
import { Client } from 'pg'
import { checkCopy } from '../backup.ts'
import { openDatabase } from '../database.ts'
import { shownUrl } from '../database-path.ts'
import { type SqliteConnection, SqliteDatabase } from '../driver.ts'
import { OperatorError } from '../../operator-error.ts'
import { bound } from './bind.ts'
import { requireKnown } from './migrations.ts'

/** The one table that has rows in a new database. */
const NEVER_EMPTY = 'gateway_changes'
/** Rows that are copied at once. */
const BATCH = 1_000
/** Tables that only the PostgreSQL engine needs; a SQLite database has none of them. */
export const OWN_TABLES: readonly string[] = [
  'schema_migrations',
  'write_turn',
  'leader',
  'inbox_updates',
  'handled_updates',
  'servers',
  'log_in_attempts',
]

interface Column {
  readonly name: string
  readonly type: string
  /** Whether the database generates its values (an identity column). */
  readonly made: boolean
}
type Tables = ReadonlyMap<string, readonly Column[]>
/** The values of the columns, in their order. */
type Row = readonly unknown[]

/**
 * Copies all rows of a SQLite database into an empty PostgreSQL database that has the tables already, in one transaction (rules 10.24). The
 * file must not be in use.
 *
 * @returns how many rows were copied
 * @throws OperatorError when the target holds something already
 */
export async function copyToPostgres(file: string, url: string): Promise<number> {
  const source = new SqliteDatabase(file, { readonly: true })
  const target = await connected(url)
  try {
    await target.query('BEGIN')
    const tables = await tablesOf(target, source)
    await requireEmpty(target, tables, url)
    const keys = await foreignKeys(target)
    // The rows already contain what the triggers do, and may refer to rows that are copied later.
    for (const table of tables.keys()) await target.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`)
    for (const { table, key } of keys)
      await target.query(`ALTER TABLE ${table} ALTER CONSTRAINT "${key}" DEFERRABLE INITIALLY DEFERRED`)
    await target.query(`DELETE FROM ${NEVER_EMPTY}`)
    let copied = 0
    for (const [table, columns] of tables) copied += await fill(target, table, columns, source)
    await target.query('SET CONSTRAINTS ALL IMMEDIATE')
    for (const { table, key } of keys)
      await target.query(`ALTER TABLE ${table} ALTER CONSTRAINT "${key}" NOT DEFERRABLE`)
    for (const table of tables.keys()) await target.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`)
    await target.query('COMMIT')
    await target.query('ANALYZE')
    return copied
  } finally {
    source.close()
    await target.end()
  }
}

/**
 * Copies all rows of a PostgreSQL database, which may be in use, as they stand at one moment, into a new SQLite database; an empty
 * file has its name until the copy is complete and verified.
 *
 * @param file to make; readable by its owner only, as it holds passwords of proxies
 * @returns how many rows were copied
 * @throws an error with code EEXIST when `file` exists; DamagedDatabase; NewerDatabase
 */
export async function copyFromPostgres(url: string, file: string): Promise<number> {
  await (await open(file, 'wx', 0o600)).close()
  const partial = `${file}.partial`
  try {
    await rm(partial, { force: true })
    await (await open(partial, 'wx', 0o600)).close()
    await (await openDatabase(`file:${partial}`)).close()
    const copied = await readAll(url, partial)
    checkCopy(partial)
    await rename(partial, file)
    return copied
  } catch (error) {
    await Promise.all([rm(partial, { force: true }), rm(file, { force: true })])
    throw error
  }
}

/** Whether a server works on a PostgreSQL database just now. */
export async function isServed(url: string): Promise<boolean> {
  const client = await connected(url)
  try {
    const { rows } = await client.query(
      `SELECT FROM leader WHERE until > clock_timestamp()
       UNION ALL SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'proxy-reseller'`,
    )
    return rows.length > 0
  } finally {
    await client.end()
  }
}

/** Returns the size of a PostgreSQL database in bytes. */
export async function sizeOfPostgres(url: string): Promise<number> {
  const client = await connected(url)
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT pg_database_size(current_database()) AS bytes',
    )
    return Number(rows[0]?.bytes)
  } finally {
    await client.end()
  }
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'proxy-reseller copy' })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (cause) {
    throw new OperatorError(`The database ${shownUrl(url)} cannot be opened: ${(cause as Error).message}`, {
      cause,
    })
  }
  return client
}

/** Reads the columns that both databases have: some of PostgreSQL are for servers of the version before alone. */
async function tablesOf(client: Client, sqlite: SqliteConnection): Promise<Tables> {
  const { rows } = await client.query<{ table: string; columns: Column[] }>(
    `SELECT table_name AS table, json_agg(json_build_object('name', column_name, 'type', data_type,
       'made', is_identity = 'YES') ORDER BY ordinal_position) AS columns
     FROM information_schema.columns WHERE table_schema = current_schema() AND table_name <> ALL ($1)
     GROUP BY 1 ORDER BY 1`,
    [OWN_TABLES],
  )
  const known = sqlite.prepare('SELECT name FROM pragma_table_info(?)').pluck()
  return new Map(
    rows.map(({ table, columns }) => {
      const names = new Set(known.all(table))
      return [table, columns.filter(({ name }) => names.has(name))]
    }),
  )
}

async function foreignKeys(client: Client): Promise<{ table: string; key: string }[]> {
  const { rows } = await client.query<{ table: string; key: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS key FROM pg_constraint
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  )
  return rows
}

async function requireEmpty(client: Client, tables: Tables, url: string): Promise<void> {
  for (const table of tables.keys()) {
    if (table === NEVER_EMPTY) continue
    const { rows } = await client.query(`SELECT FROM "${table}" LIMIT 1`)
    if (rows.length > 0)
      throw new OperatorError(`The database ${shownUrl(url)} is not empty: its table ${table} has rows`)
  }
}

const listOf = (columns: readonly Column[]) => columns.map(({ name }) => `"${name}"`).join(', ')

async function fill(
  target: Client,
  table: string,
  columns: readonly Column[],
  source: SqliteConnection,
): Promise<number> {
  const insert = `INSERT INTO "${table}" (${listOf(columns)})
    SELECT ${columns.map(({ type }, index) => `(value ->> ${index})::${type}`).join(', ')}
    FROM jsonb_array_elements($1::jsonb) AS given (value)`
  let copied = 0
  const send = async (rows: Row[]) => {
    await target.query(insert, [bound(rows)])
    copied += rows.length
  }
  let batch: Row[] = []
  for (const row of source
    .prepare(`SELECT ${listOf(columns)} FROM "${table}"`)
    .raw()
    .iterate()) {
    batch.push(row as Row)
    if (batch.length >= BATCH) await send(batch.splice(0))
  }
  if (batch.length > 0) await send(batch)
  const made = columns.find((column) => column.made)
  const last = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table)
  if (made && typeof last === 'number' && last > 0)
    await target.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [`"${table}"`, made.name, last])
  return copied
}

async function readAll(url: string, file: string): Promise<number> {
  const source = await connected(url)
  const target = new SqliteDatabase(file)
  try {
    target.pragma('foreign_keys = OFF')
    await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await requireKnown(source)
    const tables = await tablesOf(source, target)
    const triggers = target.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
      name: string
      sql: string
    }[]
    target.exec('BEGIN')
    for (const { name } of triggers) target.exec(`DROP TRIGGER "${name}"`)
    target.exec(`DELETE FROM ${NEVER_EMPTY}`)
    let copied = 0
    for (const [table, columns] of tables) copied += await take(source, table, columns, target)
    for (const { sql } of triggers) target.exec(sql)
    target.exec('COMMIT')
    await source.query('COMMIT')
    return copied
  } finally {
    target.close()
    await source.end()
  }
}

async function take(
  source: Client,
  table: string,
  columns: readonly Column[],
  target: SqliteConnection,
): Promise<number> {
  const insert = target.prepare(
    `INSERT INTO "${table}" (${listOf(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const inSqlite = (value: unknown, { type }: Column) => {
    if (value === null) return null
    if (type === 'bigint') return BigInt(value as string)
    return type === 'boolean' ? BigInt(value as boolean) : value
  }
  await source.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${listOf(columns)} FROM "${table}"`)
  let copied = 0
  for (;;) {
    const { rows } = await source.query<unknown[]>({ text: `FETCH ${BATCH} FROM copied`, rowMode: 'array' })
    if (rows.length === 0) break
    for (const row of rows) insert.run(columns.map((column, index) => inSqlite(row[index], column)))
    copied += rows.length
  }
  await source.query('CLOSE copied')
  const made = columns.find((column) => column.made)
  if (made) {
    const { rows } = await source.query<{ last: string | null }>(
      'SELECT pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) AS last',
      [`"${table}"`, made.name],
    )
    target.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table)
    if (rows[0]?.last)
      target.prepare('INSERT INTO sqlite_sequence VALUES (?, ?)').run(table, BigInt(rows[0].last))
  }
  return copied
}
