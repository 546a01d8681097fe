import { readFile } from 'node:fs/promises'
import { Client, type CustomTypesConfig, types } from 'pg'
import { isPostgres } from '../../src/core/database/database.ts'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { OWN_TABLES } from '../../src/core/database/postgres/copy.ts'
import { atTheEnd } from './clean-up.ts'
import type { Service } from './service.ts'

/** By what the database refuses a statement, in the words of both engines. */
export const REFUSED_BY = {
  check: /CHECK constraint|check constraint/,
  notNull: /NOT NULL constraint|not-null constraint/,
  unique: /UNIQUE constraint|unique constraint/,
  reference: /FOREIGN KEY constraint|foreign key constraint/,
  /** Of a column of numbers: a value that is none, or beyond the limit. */
  number:
    /CHECK constraint|check constraint|NOT NULL constraint|not-null constraint|type bigint|out of range/,
} as const

/** A connection of the test beside its service, as another program would have it: only the database itself refuses anything. */
export interface Beside {
  /** Runs statements, several of them perhaps. */
  readonly run: (sql: string) => Promise<void>
  /** Runs one statement, with a value for each `?`; answers how many rows it has changed. */
  readonly change: (sql: string, ...values: readonly unknown[]) => Promise<number>
  /** @param sql with a value for each `?` */
  readonly rows: <Row>(sql: string, ...values: readonly unknown[]) => Promise<Row[]>
  /** Runs statements of which no trigger knows. */
  readonly unwatched: (sql: string) => Promise<void>
  /** From now on nothing is protected: no trigger, check or foreign key holds. */
  readonly unprotect: () => Promise<void>
  /** Names of the tables with the data of the shop. */
  readonly tables: () => Promise<string[]>
  /** How many rows a table has ever got. */
  readonly inserted: (table: string) => Promise<number>
  /** From now on nobody else can write. */
  readonly lock: () => Promise<void>
  /**
   * Lets each statement fail that does this.
   *
   * @param when as triggers say it, such as `BEFORE INSERT`
   * @returns ends it
   */
  readonly crash: (when: string, table: string, condition?: string) => Promise<() => Promise<void>>
}

let crashes = 0

/** Opens a {@link Beside}, which ends with the test. */
export function beside({ database }: Pick<Service, 'database'>): Promise<Beside> {
  return isPostgres(database) ? besideOnPostgres(database) : Promise.resolve(besideOnSqlite(database))
}

/** All rows as text. */
export async function everyRow({ rows, tables }: Beside): Promise<string> {
  const all = await Promise.all((await tables()).map((name) => rows(`SELECT * FROM "${name}"`)))
  return JSON.stringify(all, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

/** All rows, and on SQLite all pages of the files, which also hold what was deleted. */
export async function everythingStored({
  database,
  path,
}: Pick<Service, 'database' | 'path'>): Promise<string> {
  const files = isPostgres(database) ? [] : [path, `${path}-wal`]
  const pages = await Promise.all(files.map((file) => readFile(file, 'latin1')))
  return [await everyRow(await beside({ database })), ...pages].join('\n')
}

/**
 * Remembers all rows.
 *
 * @returns puts them back, on an unprotected connection
 */
export async function keepRows({ run, tables }: Beside): Promise<() => Promise<void>> {
  const names = await tables()
  await run(names.map((name) => `CREATE TEMP TABLE kept_${name} AS SELECT * FROM ${name}`).join(';'))
  const back = names.map((name) => `DELETE FROM ${name}; INSERT INTO ${name} SELECT * FROM kept_${name}`)
  return () => run(`BEGIN; ${back.join(';')}; COMMIT`)
}

function besideOnSqlite(path: string): Beside {
  const connection = new SqliteDatabase(path)
  atTheEnd(() => connection.close())
  const triggers = () =>
    connection
      .prepare<[], { name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
      )
      .all()
  const run = async (sql: string) => void connection.exec(sql)
  const rows = async <Row>(sql: string, ...values: readonly unknown[]) =>
    connection.prepare(sql).all(...values) as Row[]
  return {
    run,
    change: async (sql, ...values) => connection.prepare(sql).run(...values).changes,
    rows,
    unwatched: async (sql) => {
      const all = triggers()
      for (const { name } of all) connection.exec(`DROP TRIGGER ${name}`)
      try {
        connection.exec(sql)
      } finally {
        for (const trigger of all) connection.exec(trigger.sql)
      }
    },
    unprotect: async () => {
      for (const { name } of triggers()) connection.exec(`DROP TRIGGER ${name}`)
      connection.pragma('ignore_check_constraints = ON')
      connection.pragma('foreign_keys = OFF')
    },
    tables: async () => {
      const found = await rows<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> '_prisma_migrations'",
      )
      return found.map(({ name }) => name)
    },
    inserted: async (table) => {
      const [found] = await rows<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = '${table}'`)
      return found?.seq ?? 0
    },
    lock: () => run('BEGIN IMMEDIATE'),
    crash: async (when, table, condition) => {
      const filter = condition ? `WHEN ${condition}` : ''
      const name = `crash_${(crashes += 1)}`
      await run(
        `CREATE TRIGGER ${name} ${when} ON ${table} ${filter} BEGIN SELECT RAISE(ABORT, 'crash'); END`,
      )
      return () => run(`DROP TRIGGER ${name}`)
    },
  }
}

/** Integers of all sizes, and sums of them, are numbers as on SQLite. */
const numbersAsNumbers: CustomTypesConfig['getTypeParser'] = (type, format) =>
  [types.builtins.INT8, types.builtins.NUMERIC].includes(type) ? Number : types.getTypeParser(type, format)

async function besideOnPostgres(url: string): Promise<Beside> {
  const client = new Client({
    connectionString: url,
    pipeline: true,
    types: { getTypeParser: numbersAsNumbers },
  })
  // The database ends before the connection where the test has failed.
  client.on('error', () => {})
  await client.connect()
  atTheEnd(() => client.end())
  const run = async (sql: string) => void (await client.query(sql))
  const ask = (sql: string, values: readonly unknown[]) => {
    let nth = 0
    return client.query(
      sql.replaceAll('?', () => `$${(nth += 1)}`),
      [...values],
    )
  }
  const rows = async <Row>(sql: string, ...values: readonly unknown[]) =>
    (await ask(sql, values)).rows as Row[]
  // As on a copy that follows its original: triggers, those of foreign keys among them, are silent.
  const watched = (on: boolean) => run(`SET session_replication_role = ${on ? 'origin' : 'replica'}`)
  return {
    run,
    change: async (sql, ...values) => (await ask(sql, values)).rowCount ?? 0,
    rows,
    unwatched: async (sql) => {
      await watched(false)
      try {
        await run(sql)
      } finally {
        await watched(true)
      }
    },
    unprotect: async () => {
      await watched(false)
      await run(`DO $$ DECLARE it record; BEGIN
        FOR it IN SELECT conrelid::regclass AS name, conname FROM pg_constraint WHERE contype = 'c' AND conrelid > 0 LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', it.name, it.conname);
        END LOOP;
      END $$`)
    },
    tables: async () => {
      const found = await rows<{ name: string }>(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
      )
      return found.map(({ name }) => name).filter((name) => !OWN_TABLES.includes(name))
    },
    inserted: async (table) => {
      const [found] = await rows<{ last: string | null }>(
        `SELECT pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')::regclass) AS last`,
      )
      return Number(found?.last ?? 0)
    },
    lock: () => run('BEGIN; SELECT FROM write_turn FOR UPDATE'),
    crash: async (when, table, condition) => {
      const filter = condition ? `WHEN (${condition})` : ''
      const name = `crash_${(crashes += 1)}`
      await run(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'crash'; END $$;
        CREATE TRIGGER ${name} ${when} ON ${table} FOR EACH ROW ${filter} EXECUTE FUNCTION ${name}()`)
      return () => run(`DROP FUNCTION ${name} CASCADE`)
    },
  }
}
