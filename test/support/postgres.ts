import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { type Database, isPostgres, openDatabase } from '../../src/core/database/database.ts'
import { atTheEnd } from './clean-up.ts'

/** A PostgreSQL server whose user may create databases; where it is set, services of tests are on it (see .ci/on-postgres). */
export const POSTGRES = process.env['TEST_POSTGRES']

/** For `skipIf` of tests of what only SQLite has: its file, its locks, its query plans. */
export const onPostgres = POSTGRES !== undefined

/** DATABASE_URL of a file of SQLite, or of what is a URL already. */
export function urlOf(database: string): string {
  return isPostgres(database) ? database : `file:${database}`
}

/** Where a machine keeps what is not in the database: beside the file of SQLite, otherwise in a folder that ends with the database. */
export function dataDirectoryOf(database: string): string {
  return isPostgres(database) ? join(tmpdir(), new URL(database).pathname) : dirname(database)
}

/** Settings that lead a process to a database. */
export function leadingToDatabase(database: string) {
  return { DATABASE_URL: urlOf(database), DATA_DIR: dataDirectoryOf(database) }
}

/** Runs a statement on the server, beside all databases of the tests. */
async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: POSTGRES })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function onTheServer(name: string): string {
  const url = new URL(POSTGRES ?? '')
  url.pathname = `/${name}`
  return url.href
}

/**
 * URL of a database without tables that ends with the test.
 *
 * @param options with which it is made, in SQL
 */
export async function emptyPostgres(options = ''): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await onServer(`CREATE DATABASE ${name} ${options}`)
  atTheEnd(() => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return onTheServer(name)
}

/** URL of a database like the template that ends with the test. */
export async function postgresDatabase(template: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  const url = onTheServer(name)
  await mkdir(dataDirectoryOf(url))
  atTheEnd(async () => {
    await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await rm(dataDirectoryOf(url), { recursive: true })
  })
  return url
}

let templates = 0

/** Of this worker; the next run of the worker's number makes it anew. */
export async function postgresTemplate(fill: (db: Database) => Promise<void>): Promise<string> {
  const name = `template_${process.pid}_${(templates += 1)}`
  await onServer(`DROP DATABASE IF EXISTS ${name}`)
  await onServer(`CREATE DATABASE ${name}`)
  const db = await openDatabase(onTheServer(name))
  await fill(db)
  await db.close()
  return name
}
