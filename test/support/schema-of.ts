import { expect } from 'vitest'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { migrationNames } from '../../src/core/database/migration-names.ts'
import { databaseBefore } from './old-database.ts'

/** Everything that makes the schema of a database, migrations included. */
export function schemaOf(path: string): unknown[] {
  const database = new SqliteDatabase(path)
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    const migrations = database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").get()
    return [
      ...database
        .prepare("SELECT name, sql FROM sqlite_master WHERE tbl_name <> '_prisma_migrations' ORDER BY name")
        .all(),
      ...(migrations
        ? database.prepare('SELECT migration_name, finished_at IS NOT NULL FROM _prisma_migrations').all()
        : []),
    ]
  } finally {
    database.close()
  }
}

/** A database as the first migration left it, with an account in it: all others are due. */
export async function oldDatabase(): Promise<string> {
  const [, second = ''] = await migrationNames()
  return databaseBefore(
    second,
    `INSERT INTO accounts (username, username_key, password_hash, role, created_at, updated_at)
     VALUES ('ann', 'ann', '', 'user', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
  )
}
