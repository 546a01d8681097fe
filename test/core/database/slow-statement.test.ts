import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/database/database.ts'
import { urlOf } from '../../support/postgres.ts'
import { emptyDatabase } from '../../support/service.ts'
import { rowsOf } from '../../support/raw-rows.ts'

test('A slow statement is reported by its text, without the values', async () => {
  const slow: { sql: string; ms: number }[] = []
  const db = await openDatabase(urlOf(await emptyDatabase()), {
    observer: {
      slowStatement: (sql, ms) => void slow.push({ sql, ms }),
      group: () => {},
    },
  })
  const secret = 'not-to-be-seen'
  const rounds = 5_000_000
  await rowsOf(db.read)`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rounds})
    SELECT max(i) AS last FROM n WHERE ${secret} <> ''`
  // Each may be slow on a busy machine, but not all.
  for (let fast = 0; fast < 10; fast += 1) await rowsOf(db.read)`SELECT 1`
  await db.close()
  expect(slow.length).toBeLessThan(10)
  expect(slow[0]?.sql).toContain('WITH RECURSIVE')
  expect(slow[0]?.sql).not.toContain(secret)
  expect(slow[0]?.sql).not.toContain(String(rounds))
  expect(slow[0]?.ms).toBeGreaterThan(100)
})
