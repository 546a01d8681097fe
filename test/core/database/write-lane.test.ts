import { sql } from 'kysely'
import { statSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { type Database, openDatabase, type Tx } from '../../../src/core/database/database.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { operator } from '../../support/processes.ts'
import { withTurns } from '../../support/turns.ts'
import { beside } from '../../support/beside.ts'
import { onPostgres, urlOf } from '../../support/postgres.ts'
import { emptyDatabase, openService, otherConnection, tally } from '../../support/service.ts'
import { rowsOf } from '../../support/raw-rows.ts'

async function openEmpty(): Promise<{ db: Database; database: string }> {
  const database = await emptyDatabase()
  const db = await openDatabase(urlOf(database))
  onTestFinished(() => db.close())
  return { db, database }
}

const put =
  (key: string, value = '') =>
  (tx: Tx) =>
    tx.setting.create({ data: { key, value } })
const keys = async (db: Database) =>
  (await db.read.setting.findMany({ orderBy: { key: 'asc' } })).map(({ key }) => key)

describe('jobs that share a commit', () => {
  it('let others have their turn when they take long together', async () => {
    const { db } = await openEmpty()
    const long = (key: string) =>
      db.write(async (tx) => {
        await put(key)(tx)
        for (const end = performance.now() + 25; performance.now() < end;);
      })
    const { turns } = await withTurns(() => Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(long)))
    expect(await keys(db)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    // Two before the group begins, and one between two jobs.
    expect(turns).toBeGreaterThanOrEqual(2 + 5)
  })

  it('keep their writes when a neighbour refuses, breaks a constraint or has a bug', async () => {
    const { db } = await openEmpty()
    // On PostgreSQL nothing can follow on a statement that has failed.
    const caught = onPostgres ? [] : ['duplicate caught']
    const kinds = fc.constantFrom('write', 'write twice', 'refuse', 'bug', 'duplicate', ...caught)
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 100 }), async (jobs) => {
        run += 1
        await db.write(put(`${run} duplicate`))
        const results = await Promise.allSettled(
          jobs.map((kind, index) =>
            db.write(async (tx) => {
              await put(`${run} job ${index}`)(tx)
              if (kind === 'write twice') await put(`${run} job ${index} again`)(tx)
              if (kind === 'refuse') throw new ServiceError('out_of_stock')
              if (kind === 'bug') throw new TypeError('a bug')
              if (kind === 'duplicate') await put(`${run} duplicate`)(tx)
              if (kind === 'duplicate caught') await put(`${run} duplicate`)(tx).catch(() => {})
              return index
            }),
          ),
        )
        const expected = jobs.flatMap((kind, index) => {
          const own = `${run} job ${index}`
          return kind === 'write twice'
            ? [own, `${own} again`]
            : kind.startsWith('write') || kind.endsWith('caught')
              ? [own]
              : []
        })
        expect((await keys(db)).filter((key) => key.startsWith(`${run} job`))).toEqual(expected.toSorted())
        expect(results.map(({ status }) => status)).toEqual(
          jobs.map((kind) => (['refuse', 'bug', 'duplicate'].includes(kind) ? 'rejected' : 'fulfilled')),
        )
      }),
      { numRuns: 30 },
    )
  })

  it('answer with what they returned, in the order in which they came', async () => {
    const { db } = await openEmpty()
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 150 }, (_, index) => db.write(put(`${index}`)).then(() => order.push(index))),
    )
    expect(order).toEqual(Array.from({ length: 150 }, (_, index) => index))
  })

  it('undo a nested write of the client as a whole', async () => {
    const { db } = await openEmpty()
    const now = new Date()
    const product = {
      productNo: 'p',
      proxyType: 103,
      productType: 1,
      periodUnit: 3,
      periodLength: 1,
    }
    const price = { scope: 'product', minQuantity: 1 }
    await expect(
      db.write((tx) =>
        tx.product.create({
          data: {
            ...product,
            createdAt: now,
            updatedAt: now,
            prices: {
              create: [
                { ...price, price: 1n },
                { ...price, price: 2n },
              ],
            },
          },
        }),
      ),
    ).rejects.toThrow()
    expect(await db.read.product.count()).toBe(0)
  })

  it('are durable before they are answered: another connection sees them at once', async () => {
    const { db, database } = await openEmpty()
    const other = await beside({ database })
    await db.write(put('acknowledged'))
    expect(await other.rows('SELECT key FROM settings')).toEqual([{ key: 'acknowledged' }])
  })
})

describe('reads', () => {
  it('never see what is not committed', async () => {
    const { db } = await openEmpty()
    await db.write(async (tx) => {
      await put('a')(tx)
      expect(await tx.setting.count()).toBe(1)
      expect(await db.read.setting.count()).toBe(0)
      expect(await rowsOf(db.read)`SELECT 1 FROM settings`).toEqual([])
    })
    expect(await db.read.setting.count()).toBe(1)
  })

  it('never see what is rolled back', async () => {
    const { db } = await openEmpty()
    const seen: Promise<number>[] = []
    const attempts = Array.from({ length: 20 }, () =>
      db.write(async (tx) => {
        await put('ghost')(tx)
        seen.push(db.read.setting.count())
        throw new ServiceError('out_of_stock')
      }),
    )
    expect(tally(await Promise.allSettled(attempts))).toEqual({ out_of_stock: 20 })
    expect(await Promise.all(seen)).toEqual(Array.from({ length: 20 }, () => 0))
  })

  it('cannot write, neither by type nor by trick', async () => {
    const { db } = await openEmpty()
    // @ts-expect-error the read client has no method that writes
    await expect(db.read.setting.create({ data: { key: 'a', value: '' } })).rejects.toThrow(/read-?only/)
    await expect(rowsOf(db.read)`INSERT INTO settings VALUES ('a', '') RETURNING key`).rejects.toThrow(
      /read-?only/,
    )
    expect(await db.read.setting.count()).toBe(0)
  })
})

it('the write client refuses to work outside the lane', async () => {
  const { db } = await openEmpty()
  const leaked = await db.write((tx) => Promise.resolve({ tx }))
  await expect(leaked.tx.setting.create({ data: { key: 'a', value: '' } })).rejects.toThrow(
    /outside the write lane/,
  )
  await expect(rowsOf(leaked.tx)`INSERT INTO settings VALUES ('a', '')`).rejects.toThrow(
    /outside the write lane/,
  )
  expect(await keys(db)).toEqual([])
})

describe('another process', () => {
  it.skipIf(onPostgres)(
    'that reads for long lets the write-ahead log grow, and it is small again soon after',
    async () => {
      const { database, db } = await openEmpty()
      const size = () => statSync(`${database}-wal`).size
      const write = (key: string) => db.write(put(key, 'x'.repeat(1e6)))
      const reader = otherConnection(database)
      reader.exec('BEGIN; SELECT * FROM settings')
      for (let megabyte = 0; megabyte < 24; megabyte += 1) await write(`while it reads ${megabyte}`)
      expect(size()).toBeGreaterThan(24e6)
      expect(reader.prepare('SELECT count(*) FROM settings').pluck().get()).toBe(0)

      reader.exec('COMMIT')
      for (const key of ['afterwards', 'and again']) await write(key)
      expect(size()).toBeLessThanOrEqual(16 * 1024 * 1024)
      expect(await keys(db)).toHaveLength(26)
    },
  )

  it('that writes under load loses nothing and makes nobody lose anything', async () => {
    const service = await openService()
    const { core, audited } = service
    const agent = await service.agent({ name: 'agent', balance: 1 })
    const load = { on: true }
    const commands = Promise.all(
      ['0.5', '-0.25', '0.125'].map((amount) =>
        operator(['balance', 'agent', amount, '--remark', 'from outside', '--json'], {
          database: service.database,
        }),
      ),
    ).finally(() => (load.on = false))
    let adjustments = 0
    while (load.on) {
      await Promise.all(
        Array.from({ length: 50 }, () =>
          core.operator.adjustBalance(SHELL, { username: 'agent', amount: 0.000001, remark: 'from inside' }),
        ),
      )
      adjustments += 50
    }
    for (const { status, stderr } of await commands)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(await service.balance(agent)).toBe((1_375_000 + adjustments) / 1e6)
    expect(await service.entries(agent)).toHaveLength(1 + 3 + adjustments)
    await audited()
  })
})

describe.skipIf(onPostgres)('a full disk', () => {
  /** Lets the database grow by so many pages only; the limit belongs to the connection of the lane. */
  async function limitTo(db: Database, morePages: number): Promise<void> {
    await db.write(async (tx) => {
      const [row] = await rowsOf<{ pageCount: number }>(tx)`PRAGMA page_count`
      await rowsOf(tx)`PRAGMA max_page_count = ${sql.lit(Number(row?.pageCount) + morePages)}`
    })
  }

  it('refuses the whole group with unavailable, leaves nothing half-written, and is over when there is room', async () => {
    const { db } = await openEmpty()
    await db.write(put('before'))
    await limitTo(db, 2)
    const large = 'x'.repeat(100_000)
    const insert = (key: string, value: string) =>
      db.write((tx) => rowsOf(tx)`INSERT INTO settings VALUES (${key}, ${value})`)
    const group = await Promise.allSettled([insert('a', 'small'), insert('b', large), insert('c', 'small')])
    expect(tally(group)).toEqual({ unavailable: 3 })
    expect(await keys(db)).toEqual(['before'])

    await limitTo(db, 1000)
    await insert('b', large)
    expect(await keys(db)).toEqual(['b', 'before'])
    expect(await rowsOf(db.read)`PRAGMA integrity_check`).toEqual([{ integrityCheck: 'ok' }])
  })

  it('is unavailable also where SQLite undoes the one statement only, and keeps the neighbours that had room', async () => {
    const { db } = await openEmpty()
    await limitTo(db, 2)
    // Several rows in one statement: SQLite journals the statement and undoes it alone.
    const insert = (key: string, value: string) =>
      db.write((tx) =>
        tx.setting.createMany({
          data: [
            { key, value },
            { key: `${key} too`, value: '' },
          ],
        }),
      )
    const group = await Promise.allSettled([
      insert('a', 'small'),
      insert('b', 'x'.repeat(100_000)),
      insert('c', 'small'),
    ])
    expect(group.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(tally(group)).toMatchObject({ unavailable: 1 })
    expect(await keys(db)).toEqual(['a', 'a too', 'c', 'c too'])
  })

  it('takes no money and no stock for an order that it cannot keep', async () => {
    const service = await openService()
    const agent = await service.agent({ balance: 10_000 })
    await service.product()
    await service.stock('static', 500)
    await limitTo(service.db, 1)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => service.order(agent, { ipCount: 20, remark: 'x'.repeat(255) })),
    )
    const counts = tally(results)
    expect(counts['unavailable']).toBeGreaterThan(0)
    expect(await service.balance(agent)).toBe(10_000 - 20 * (counts['ok'] ?? 0))
    await service.audited()

    await limitTo(service.db, 10_000)
    await service.order(agent, { ipCount: 1 })
    await service.runJobs()
    await service.audited()
  })
})

it('closing waits for the writes that were asked for', async () => {
  const database = await emptyDatabase()
  const db = await openDatabase(urlOf(database))
  const writes = Promise.all(Array.from({ length: 100 }, (_, index) => db.write(put(`${index}`))))
  await db.close()
  expect(await writes).toHaveLength(100)
  const { rows } = await beside({ database })
  expect(await rows('SELECT key FROM settings')).toHaveLength(100)
})
