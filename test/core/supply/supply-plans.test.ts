import { expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { SqliteDatabase } from '../../../src/core/database/driver.ts'
import { onPostgres } from '../../support/postgres.ts'
import { otherConnection } from '../../support/service.ts'
import { suppliedShop } from '../../support/supplied-shop.ts'

const MINUTE = 60_000
/** Tables that grow with every order. */
const GROWING = new Set([
  'cancellations',
  'instances',
  'ledger_entries',
  'proxy_checks',
  'renewals',
  'renewed_instances',
  'replacements',
  'static_orders',
  'supplier_calls',
])
/** Indexes of what is open, which are small however much has ended. */
const OPEN =
  /USING (COVERING )?INDEX (supplier_calls_open|instances_to_\w+|instances_in_grace|replacements_open)/

/** The statements that were prepared meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { prototype } = SqliteDatabase as unknown as { prototype: { prepare(sql: string): unknown } }
  const { prepare } = prototype
  const statements = new Set<string>()
  prototype.prepare = function (sql) {
    statements.add(sql)
    return prepare.call(this, sql)
  }
  try {
    await work()
  } finally {
    prototype.prepare = prepare
  }
  return [...statements].filter((sql) => /^\s*(with|select|insert|update|delete)\b/i.test(sql))
}

/** The steps of a plan that read all of a table that grows. */
function fullScans(connection: ReturnType<typeof otherConnection>, sql: string): string[] {
  const names = [...sql.matchAll(/"(\w+)" (?:as )?"(\w+)"/gi)].flatMap(([, table = '', alias = '']) =>
    GROWING.has(table) ? [alias] : [],
  )
  const growing = new Set([...GROWING, ...names])
  const values = Array.from({ length: sql.split('?').length - 1 }, () => null)
  const plan = connection.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
  return plan
    .map(({ detail }) => detail)
    .filter((step) => growing.has(/^SCAN (\w+)/.exec(step)?.[1] ?? '') && !OPEN.test(step))
}

it.skipIf(onPostgres)(
  'no step in the life of supplied orders reads a table from end to end that grows with them',
  async () => {
    const shop = await suppliedShop({ operatorChats: [900] })
    const { core, order, buyer, step, runJobs, connectionId, clock, path } = shop
    await core.operator.editProduct(SHELL, 'static', { replacePolicy: 'auto' })
    const statements = await statementsOf(async () => {
      const { orderNo } = await order(buyer, { ipCount: 4 })
      await core.supply.lanes()
      await step()
      await runJobs()
      const { instances } = await core.orders.getStatic(buyer, { orderNo })
      const [first, second] = instances
      await core.orders.renewStatic(buyer, { order: { orderNo } })
      await step()
      await runJobs()
      await core.orders.resetCredentials(buyer, first?.instanceNo ?? '')
      await step()
      await runJobs()
      const ask = { instanceNo: second?.instanceNo ?? '', reason: 'does not connect' }
      await core.orders.replaceInstance(buyer, ask)
      await step()
      await runJobs()
      await core.orders.cancelStatic(buyer, { orderNo })
      await core.supply.takeOver()
      await step()
      await core.supply.sync(connectionId)
      clock.advance(MINUTE)
      for (const sweep of core.jobs.noticeSweeps) await sweep()
    })
    expect(statements.length).toBeGreaterThan(50)
    const connection = otherConnection(path)
    expect(statements.flatMap((sql) => fullScans(connection, sql).map((scan) => `${scan}: ${sql}`))).toEqual(
      [],
    )
  },
)
