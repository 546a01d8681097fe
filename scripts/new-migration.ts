/**
 * npm run migration -- NAME: writes the SQL that leads from the last migration to prisma/schema.prisma.
 * CHECK constraints and triggers are added to the file by hand.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { schemaDiff } from '../src/core/database/schema-engine.ts'
import { sqliteAdapter } from '../src/core/database/sqlite-adapter.ts'
import { Statements } from '../src/core/database/statements.ts'

const name = process.argv[2]
if (!name || !/^[a-z0-9_]+$/.test(name)) throw new Error('usage: npm run migration -- name_in_snake_case')

const sql = await schemaDiff(sqliteAdapter(new Statements(new SqliteDatabase(':memory:'))))
if (sql === '') {
  process.stdout.write('The migrations already lead to this schema.\n')
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const directory = new URL(`../prisma/migrations/${stamp}_${name}/`, import.meta.url)
  await mkdir(directory, { recursive: true })
  await writeFile(new URL('migration.sql', directory), sql)
  process.stdout.write(`${directory.pathname}migration.sql\n`)
}
