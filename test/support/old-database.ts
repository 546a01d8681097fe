import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { migrationNames } from '../../src/core/database/migration-names.ts'
import { temporaryDirectory } from './service.ts'

/** SQL of a migration. */
export const migrationSql = (name: string) =>
  readFile(new URL(`../../prisma/migrations/${name}/migration.sql`, import.meta.url), 'utf8')

/**
 * A database as all migrations before one left it; that one and what follows are due. It ends with the test.
 *
 * @param next what the migration's name ends with
 * @param rows SQL of what is in it
 * @returns its file
 */
export async function databaseBefore(next: string, rows: string): Promise<string> {
  const path = join(await temporaryDirectory(), 'old.db')
  const database = new SqliteDatabase(path)
  database.pragma('journal_mode = WAL')
  database.exec(`CREATE TABLE _prisma_migrations (id TEXT PRIMARY KEY NOT NULL, checksum TEXT NOT NULL, finished_at DATETIME,
    migration_name TEXT NOT NULL, logs TEXT, rolled_back_at DATETIME, started_at DATETIME NOT NULL DEFAULT current_timestamp,
    applied_steps_count INTEGER UNSIGNED NOT NULL DEFAULT 0)`)
  const names = await migrationNames()
  const position = names.findIndex((name) => name.endsWith(next))
  if (position < 1) throw new Error(`no migration ${next} follows another one`)
  for (const name of names.slice(0, position)) {
    const sql = await migrationSql(name)
    database.exec(sql)
    database
      .prepare(
        'INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) VALUES (?, ?, current_timestamp, ?, 1)',
      )
      .run(name, createHash('sha256').update(sql).digest('hex'), name)
  }
  database.exec(rows)
  database.close()
  return path
}
