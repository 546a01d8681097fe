import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../src/core/database/database.ts'
import { uniqueViolation } from '../../../src/core/database/sqlite-error.ts'
import { onPostgres, urlOf } from '../../support/postgres.ts'
import { emptyDatabase } from '../../support/service.ts'
import { rowsOf } from '../../support/raw-rows.ts'

async function open() {
  const db = await openDatabase(urlOf(await emptyDatabase()))
  onTestFinished(() => db.close())
  return db
}

it('Whole numbers come back exactly, whatever their size, and stay integers in SQLite', async () => {
  const { read } = await open()
  await fc.assert(
    fc.asyncProperty(fc.maxSafeInteger(), async (number) => {
      expect(await rowsOf(read)`SELECT ${number} AS value`).toEqual([{ value: number + 0 }])
      if (!onPostgres)
        expect(await rowsOf(read)`SELECT typeof(${number}) AS type`).toEqual([{ type: 'integer' }])
    }),
    { examples: [[0], [-0], [Number.MAX_SAFE_INTEGER], [Number.MIN_SAFE_INTEGER]] },
  )
})

it.skipIf(onPostgres)('Every kind of value is bound as SQLite keeps it', async () => {
  const { read } = await open()
  const time = new Date('2026-11-21T10:00:00.000Z')
  const [row] = await rowsOf(
    read,
  )`SELECT ${0.5} AS fraction, ${12n} AS big, ${true} AS yes, ${false} AS no, ${time} AS time, ${null} AS none`
  expect(row).toEqual({ fraction: 0.5, big: 12, yes: 1, no: 0, time: time.toISOString(), none: null })
})

it('Text is text, however much it looks like SQL', async () => {
  const { read } = await open()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const inner = sql`SELECT ${text} AS value`
      const rows = await rowsOf(read)`SELECT value FROM (${inner}) AS given WHERE value = ${text}`
      expect(rows).toEqual([{ value: onPostgres ? text.replaceAll('\0', '\u{FFFD}') : text }])
    }),
    { examples: [['\0'], ["'; DROP TABLE accounts; --"], ['?'], ['']] },
  )
})

it('A statement says how many rows it changed, and which constraint refused it', async () => {
  const db = await open()
  const insert = (...keys: string[]) =>
    db.write((tx) =>
      tx.$kysely
        .insertInto('settings')
        .values(keys.map((key) => ({ key, value: '' })))
        .executeTakeFirst(),
    )
  expect(await insert('a', 'b', 'c')).toMatchObject({ numInsertedOrUpdatedRows: 3n })
  const refused = await insert('d', 'b').catch((error: unknown) => error)
  expect(uniqueViolation(refused, 'key')).toBe(true)
  expect(uniqueViolation(refused, 'value')).toBe(false)
  expect(await rowsOf(db.read)`SELECT key FROM settings ORDER BY key`).toEqual([
    { key: 'a' },
    { key: 'b' },
    { key: 'c' },
  ])
})
