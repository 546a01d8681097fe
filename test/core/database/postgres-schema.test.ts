import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { OWN_TABLES } from '../../../src/core/database/postgres/copy.ts'
import { postgresMigrationNames } from '../../../src/core/database/postgres/migrations.ts'
import { projectUrl } from '../../../src/project-url.ts'
import { databaseFile, otherConnection } from '../../support/service.ts'

/** What both engines can tell of a table. */
interface Table {
  readonly columns: string[]
  readonly indexes: string[]
  readonly foreignKeys: string[]
  readonly checks: number
  readonly triggers: string[]
}
type Tables = Record<string, Table>

/** Columns that PostgreSQL keeps for servers of the version before. */
const OF_BEFORE: Readonly<Record<string, readonly string[]>> = {
  products: ['name_en', 'name_zh', 'description_en', 'description_zh'],
}

/** Of the engines themselves. */
const OWN = new Set(['_prisma_migrations', 'sqlite_sequence', ...OWN_TABLES])

test('the migrations of both engines lead to the same tables', async () => {
  const postgres = await tablesOfPostgres()
  const sqlite = await tablesOfSqlite()

  expect(Object.keys(postgres).toSorted()).toEqual(Object.keys(sqlite).toSorted())
  for (const [name, table] of Object.entries(sqlite))
    expect({ name, ...postgres[name] }).toEqual({ name, ...table })
})

async function tablesOfSqlite(): Promise<Tables> {
  const connection = otherConnection(await databaseFile())
  const all = <Row>(sql: string, ...values: unknown[]) => connection.prepare(sql).all(...values) as Row[]
  const tables = all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
  )
  return Object.fromEntries(
    tables
      .filter(({ name }) => !OWN.has(name))
      .map(({ name, sql }) => {
        const columns = all<{
          name: string
          type: string
          notnull: number
          pk: number
          default: string | null
        }>('SELECT name, type, "notnull", pk, dflt_value AS "default" FROM pragma_table_info(?)', name)
        const indexes = all<{ name: string; unique: number; partial: number }>(
          `SELECT name, "unique", partial FROM pragma_index_list(?) WHERE origin = 'c'`,
          name,
        )
        const keys = all<{ from: string; table: string; to: string; on_delete: string }>(
          'SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(?)',
          name,
        )
        const triggers = all<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?",
          name,
        )
        return [
          name,
          {
            columns: columns
              .map((column) =>
                [
                  column.name,
                  TYPES[column.type] ?? column.type,
                  column.notnull === 1 || column.pk > 0 ? 'not null' : 'null',
                  column.default ?? '',
                  column.pk,
                ].join(' '),
              )
              .toSorted(),
            indexes: indexes
              .map((index) => {
                const names = all<{ name: string }>(
                  'SELECT name FROM pragma_index_info(?) ORDER BY seqno',
                  index.name,
                )
                return [index.name, index.unique, index.partial, ...names.map(({ name }) => name)].join(' ')
              })
              .toSorted(),
            foreignKeys: keys.map((key) => `${key.from} ${key.table} ${key.to} ${key.on_delete}`).toSorted(),
            // That an integer is one needs no check on PostgreSQL.
            checks:
              sql
                .replaceAll(/CHECK \((?:"\w+" IS NULL OR )?typeof\("\w+"\) = 'integer'\)/g, '')
                .split('CHECK (').length - 1,
            triggers: triggers.map(({ name }) => name).toSorted(),
          },
        ]
      }),
  )
}

const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'bigint',
  BIGINT: 'bigint',
  TEXT: 'text C',
  DATETIME: 'text C',
  BOOLEAN: 'boolean',
}

async function tablesOfPostgres(): Promise<Tables> {
  const { exitCode } = process
  const postgres = await PGlite.create()
  try {
    for (const name of await postgresMigrationNames())
      await postgres.exec(
        await readFile(projectUrl(`prisma/postgres/migrations/${name}/migration.sql`), 'utf8'),
      )
    const { rows } = await postgres.query<{ name: string; table: Table }>(READ_TABLES)
    return Object.fromEntries(
      rows
        .filter(({ name }) => !OWN.has(name))
        .map(({ name, table }) => [name, { ...table, columns: withoutOld(name, table.columns) }]),
    )
  } finally {
    await postgres.close()
    // PGlite leaves an exit code of its own, 0, which would hide that tests have failed.
    process.exitCode = exitCode
  }
}

function withoutOld(table: string, columns: readonly string[]): string[] {
  return columns.filter((column) => OF_BEFORE[table]?.includes(column.split(' ')[0] ?? '') !== true)
}

const READ_TABLES = `
  SELECT t.relname AS name, jsonb_build_object(
    'columns', (SELECT jsonb_agg(concat_ws(' ', a.attname, format_type(a.atttypid, null)
        || CASE WHEN a.attcollation <> 0 THEN ' ' || (SELECT collname FROM pg_collation c WHERE c.oid = a.attcollation) ELSE '' END,
        CASE WHEN a.attnotnull THEN 'not null' ELSE 'null' END,
        coalesce(regexp_replace(pg_get_expr(d.adbin, d.adrelid), '::[a-z]+( COLLATE "C")?$', ''), ''),
        coalesce(array_position((SELECT conkey FROM pg_constraint p WHERE p.conrelid = t.oid AND contype = 'p'), a.attnum), 0))
        ORDER BY a.attname)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
      WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped),
    'indexes', coalesce((SELECT jsonb_agg(concat_ws(' ', i.relname, x.indisunique::int, (x.indpred IS NOT NULL)::int,
        (SELECT string_agg(regexp_replace(pg_get_indexdef(x.indexrelid, n::int, false), '^lower\\((.*)\\)$|"', '\\1', 'g'), ' ' ORDER BY n)
         FROM generate_series(1, x.indnkeyatts) n)) ORDER BY i.relname)
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = t.oid AND NOT x.indisprimary), '[]'),
    'foreignKeys', coalesce((SELECT jsonb_agg(concat_ws(' ', a.attname, r.relname, b.attname,
        CASE f.confdeltype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END)
        ORDER BY a.attname)
      FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = f.conkey[1]
        JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = f.confkey[1]
      WHERE f.conrelid = t.oid AND f.contype = 'f'), '[]'),
    'checks', (SELECT count(*) FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype = 'c'),
    -- Those for servers of the version before, which run beside this one on PostgreSQL only, are left out.
    'triggers', coalesce((SELECT jsonb_agg(g.tgname ORDER BY g.tgname COLLATE "C") FROM pg_trigger g
      WHERE g.tgrelid = t.oid AND NOT g.tgisinternal AND right(g.tgname, 10) <> '_of_before'), '[]')
  ) AS table
  FROM pg_class t WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace`
