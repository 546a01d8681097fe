import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { migrationNames } from '../src/core/database/migration-names.ts'
import { canHaveFaultyDisk, faultyDisk } from './support/faulty-disk.ts'
import { migrationSql } from './support/old-database.ts'
import { type ProductProcess, startProcess } from './support/process.ts'
import { sandboxFolder } from './support/sandbox-folder.ts'
import { oldDatabase, schemaOf } from './support/schema-of.ts'
import { command } from './support/command-line.ts'
import { DRIVERS } from '../src/suppliers/drivers.ts'
import { PATIENCE } from './support/patience.ts'

/** The demo agent of a sandbox, who buys for 0.1. */
async function client({ address }: ProductProcess) {
  const call = async (path: string, body?: object, token = '') => {
    const response = await fetch(`${address}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as {
      code: number
      error?: string
      data: { token: string; balance: number; total: number }
    }
  }
  const { token } = (await call('/auth/login', { username: 'agent', password: 'agent-demo' })).data
  const terms = { ipCount: 1, cycleTimes: 1, duration: 1, unit: 1, unitPrice: 0, totalAmount: 0 }
  const order = { orderType: 'static_proxy', poolId: 'DC-CLOUD', userId: 1, ...terms }
  return {
    order: async () => (await call('/open/app/static/order/create-standard/v2', order, token)).error ?? 'ok',
    balance: async () => (await call('/open/app/user/balance/current', undefined, token)).data.balance,
    orders: async (status = '') =>
      (await call(`/open/app/static/order/list/v2?${status && `status=${status}`}`, undefined, token)).data
        .total,
  }
}

/** What `/readyz` says, and of database and disk. */
async function readiness({ address }: ProductProcess) {
  const response = await fetch(`${address}/readyz`)
  const { checks } = (await response.json()) as { checks: Record<string, string> }
  return [response.status, checks['database'], checks['disk']]
}

describe.skipIf(!canHaveFaultyDisk)('a disk that is full, or on which nothing becomes durable', () => {
  it('refuses orders, answers reads, says so, and goes on when it is well again; what was refused never happened, not even after a kill', async () => {
    const directory = await sandboxFolder()
    const disk = faultyDisk(directory)
    const database = join(directory, 'reseller.db')
    // What is refused because of the disk does not count against the limit.
    const environment = { PORT: '0', DATABASE_URL: `file:${database}`, RATE_LIMIT_WRITES: '12' }
    const product = await startProcess({ ...environment, ...disk.environment }, directory)
    onTestFinished(product.kill)
    const agent = await client(product)
    /** What the demo begins with. */
    const before = {
      active: await agent.orders('active'),
      all: await agent.orders(),
      balance: await agent.balance(),
    }
    const together = () => Promise.all(Array.from({ length: 8 }, agent.order))
    const stateAfter = (orders: number) => [before.all + orders, before.balance - orders / 10]
    const refused = Array(8).fill('unavailable')

    for (const [index, fault] of (['full', 'broken', 'broken'] as const).entries()) {
      disk.recover()
      await vi.waitFor(async () => expect(await readiness(product)).toEqual([200, 'ok', 'ok']), PATIENCE)
      expect(await agent.order()).toBe('ok')
      const orders = index + 1
      // Nobody else writes then, over what was refused.
      await vi.waitUntil(async () => (await agent.orders('active')) === before.active + orders, PATIENCE)
      disk.become(fault)
      expect(await together()).toEqual(refused)
      await vi.waitFor(async () => expect(await readiness(product)).toEqual([503, 'down', 'down']), PATIENCE)
      expect([await agent.orders(), await agent.balance()]).toEqual(stateAfter(orders))
    }
    await product.kill()

    const restarted = await startProcess(environment, directory)
    onTestFinished(restarted.kill)
    const again = await client(restarted)
    expect([await again.orders(), await again.balance()]).toEqual(stateAfter(3))
    expect(await again.order()).toBe('ok')
    expect(await command(['audit'], { database, drivers: DRIVERS })).toMatchObject({ status: 0 })
  })
})

describe('a migration that does not get through', () => {
  it('because it fails in the middle leaves the old schema, and gets through when the obstacle is gone', async () => {
    const path = await oldDatabase()
    const [first = '', ...due] = await migrationNames()
    const all = (await Promise.all(due.map(migrationSql))).join('')
    const there = await migrationSql(first)
    const [name = ''] = [...all.matchAll(/CREATE (?:TABLE|(?:UNIQUE )?INDEX) "(\w+)"/g)]
      .map(([, created = '']) => created)
      .toReversed()
      .filter((created) => !there.includes(`"${created}"`))
    const edit = (sql: string) => new SqliteDatabase(path).exec(sql).close()
    edit(`CREATE TABLE "${name}" (in_the_way)`)
    const before = schemaOf(path)
    await expect(openDatabase(`file:${path}`)).rejects.toThrow()
    expect(schemaOf(path)).toEqual(before)
    edit(`DROP TABLE "${name}"`)
    const db = await openDatabase(`file:${path}`)
    expect(await db.read.account.findMany()).toMatchObject([{ username: 'ann' }])
    await db.close()
  })
})
