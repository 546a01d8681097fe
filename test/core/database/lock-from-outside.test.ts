import { expect, onTestFinished, test } from 'vitest'
import { SqliteDatabase } from '../../../src/core/database/driver.ts'
import { openDatabase, type Tx } from '../../../src/core/database/database.ts'
import { WriteLane } from '../../../src/core/database/write-lane.ts'
import { onPostgres } from '../../support/postgres.ts'
import { lockFromOutside } from '../../support/processes.ts'
import { databaseFile, tally } from '../../support/service.ts'
import { timeOf } from '../../support/times.ts'

test.skipIf(onPostgres)(
  'Another process that is in a transaction makes writers wait, and blocks nothing else',
  async () => {
    const path = await databaseFile()
    const db = await openDatabase(`file:${path}`)
    onTestFinished(() => db.close())
    const put = (key: string) => (tx: Tx) => tx.setting.create({ data: { key, value: '' } })
    const release = await lockFromOutside(path)
    const waiting = Promise.all([db.write(put('a')), db.write(put('b'))])
    // Whoever blocked these, too, would never see the lock released, and be refused.
    for (let reads = 0; reads < 20; reads += 1) {
      expect(await db.read.setting.count()).toBe(0)
      await new Promise(setImmediate)
    }
    await release()
    await waiting
    expect(await db.read.setting.count()).toBe(2)
  },
)

test.skipIf(onPostgres)(
  'Another process that keeps the lock beyond the limit gets everybody who waited refused at once, and then all works again',
  async () => {
    const path = await databaseFile()
    const connection = new SqliteDatabase(path, { timeout: 50 })
    onTestFinished(() => void connection.close())
    const lane = new WriteLane(connection, connection, 2_000)
    const write = (key: number) =>
      lane.write((db) =>
        Promise.resolve(db.prepare("INSERT INTO settings VALUES (?, '')").run(`key ${key}`).changes),
      )
    const release = await lockFromOutside(path)

    const waited = await timeOf(async () => {
      const attempts = await Promise.allSettled(Array.from({ length: 300 }, (_, key) => write(key)))
      expect(tally(attempts)).toEqual({ unavailable: 300 })
    })
    // Five groups, and yet one limit.
    expect(waited).toBeLessThan(4 * 2_000)

    await release()
    expect(await Promise.all([write(1), write(2)])).toEqual([1, 1])
    expect(connection.prepare('SELECT count(*) FROM settings').pluck().get()).toBe(2)
  },
)
