import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/core/database/database.ts'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import type { Statement } from './record-statements.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** File into which tests write the statements that they have run; see record-statements.ts. */
    statements: string
  }
}

/** After all tests: fails when PostgreSQL would not understand one of the statements that were run. */
export default function (project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'statements-'))
  const file = join(folder, 'run')
  appendFileSync(file, '')
  project.provide('statements', file)
  return async () => {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    const refused = lines.length === 0 ? [] : await refusedByPostgres(lines, join(folder, 'sqlite.db'))
    rmSync(folder, { recursive: true })
    if (refused.length === 0) return
    process.exitCode = 1
    process.stderr.write(`PostgreSQL refuses statements:\n${refused.join('\n')}\n`)
  }
}

async function refusedByPostgres(lines: readonly string[], scratch: string): Promise<string[]> {
  const statements = new Map(
    lines.map((line) => JSON.parse(line) as Statement).map((statement) => [statement.sql, statement]),
  )
  const { exitCode } = process
  const postgres = await PGlite.create()
  await postgres.exec(await tablesLike(scratch))
  const refused: string[] = []
  for (const { sql, test } of statements.values()) {
    await postgres
      .exec(`PREPARE statement AS ${sql}; DEALLOCATE statement`)
      .catch((error: unknown) => refused.push(`${String(error)}\n  ${sql}\n  in ${test}`))
  }
  await postgres.close()
  // PGlite leaves an exit code of its own, 0, which would hide that tests have failed.
  process.exitCode = exitCode
  return refused
}

/** PostgreSQL's tables with the columns of SQLite's; times are ISO 8601 texts there, too. */
async function tablesLike(scratch: string): Promise<string> {
  await (await openDatabase(`file:${scratch}`)).close()
  const sqlite = new SqliteDatabase(scratch, { readonly: true })
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .pluck()
    .all() as string[]
  const created = tables.map((table) => {
    const columns = sqlite.pragma(`table_info(${table})`) as { name: string; type: string; pk: number }[]
    const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}"`)
    const fields = columns.map(({ name, type }) => `"${name}" ${TYPES[type] ?? 'text'}`)
    if (keys.length > 0) fields.push(`PRIMARY KEY (${keys.join(', ')})`)
    return `CREATE TABLE "${table}" (${fields.join(', ')});${uniqueIndexes(sqlite, table)}`
  })
  sqlite.close()
  return created.join('\n')
}

const TYPES: Readonly<Record<string, string>> = { INTEGER: 'bigint', BIGINT: 'bigint', BOOLEAN: 'boolean' }

/** Targets of ON CONFLICT. */
function uniqueIndexes(sqlite: InstanceType<typeof SqliteDatabase>, table: string): string {
  const indexes = sqlite.pragma(`index_list(${table})`) as { name: string; unique: number; partial: number }[]
  return indexes
    .filter(({ unique, partial }) => unique === 1 && partial === 0)
    .map(({ name }) => {
      const columns = sqlite.pragma(`index_info(${name})`) as { name: string }[]
      return `CREATE UNIQUE INDEX ON "${table}" (${columns.map((column) => `"${column.name}"`).join(', ')});`
    })
    .join('')
}
