import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { DEMO_ACCOUNTS } from '../../src/sandbox/demo-accounts.ts'
import { endChild, startChild } from '../support/children.ts'
import { PATIENCE } from '../support/patience.ts'
import { startProcess } from '../support/process.ts'
import { operator } from '../support/processes.ts'
import { temporaryDirectory } from '../support/service.ts'
import { root } from '../support/tethered.ts'

/** What neither a kill nor chance changes. */
const UNDISTURBED = { balances: [1000, 50], spent: 145.7, entries: 18 }

/** A sandbox of its own, with the questions that its API answers. */
async function sandbox() {
  const directory = await temporaryDirectory()
  const database = join(directory, 'reseller.db')
  const environment = { PORT: '0', DATABASE_URL: `file:${database}` }
  return { database, environment, start: () => startProcess(environment, directory) }
}

/** How many ledger entries there are; none while there is no database yet. */
function entriesIn(database: string): number {
  if (!existsSync(database)) return 0
  const connection = new SqliteDatabase(database, { readonly: true })
  try {
    return connection.prepare('SELECT count(*) FROM ledger_entries').pluck().get() as number
  } catch {
    return 0
  } finally {
    connection.close()
  }
}

async function memberOf(address: string, name: keyof typeof DEMO_ACCOUNTS) {
  const { username, password } = DEMO_ACCOUNTS[name]
  const answer = await fetch(`${address}/b/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  return async (path: string) => {
    const response = await fetch(`${address}/b/api${path}`, {
      headers: { authorization: `Bearer ${data.token}` },
    })
    expect([path, response.status]).toEqual([path, 200])
    return ((await response.json()) as { data: Record<string, unknown> }).data
  }
}

/** What the 30 days left, without numbers and times that are new in every database. */
async function shown(address: string) {
  const agent = await memberOf(address, 'agent')
  const customer = await memberOf(address, 'customer')
  const { dailyStats, sub_users, statistics, orders, balance } = await agent('/open/app/dashboard/info/v2')
  return {
    balances: [balance, (await customer('/open/app/user/balance/current'))['balance']],
    orders,
    dailyStats,
    subUsers: (sub_users as { dailyStats: unknown }).dailyStats,
    spent: (statistics as { totalConsumption: number }).totalConsumption,
    entries: (await agent('/transaction/agent/transactions'))['total'],
    topUps: (await customer('/usdt/orders'))['items'] as { status: string }[],
    dynamic: await customer('/dynamic/order-info/demo-dynamic-1'),
    static: await customer('/open/app/static/order/list/v2?orderNo=demo-static-1'),
  }
}

test('The sandbox begins with 30 days that were lived through: charts have figures, books and balances are right', async () => {
  const { database, start } = await sandbox()
  const first = await start()
  const before = await shown(first.address)
  expect(before).toMatchObject(UNDISTURBED)
  const days = before.subUsers as { orders: number }[]
  expect(days.filter(({ orders }) => orders > 0).length).toBeGreaterThan(12)
  expect(before.topUps.map(({ status }) => status)).toEqual(['paid', 'expired'])
  expect(before.dynamic).toMatchObject({ pool_id: 'DYN-1', used_traffic: 3.8, status: 'active' })
  expect(before.static['items']).toMatchObject([{ product_no: 'ISP-RES', status: 'active', ip_count: 3 }])
  await first.terminate()
  expect(await operator(['audit'], { database })).toMatchObject({ status: 0 })

  const second = await start()
  expect(await shown(second.address)).toEqual(before)
  await second.terminate()
})

test('A kill while the history is made costs nothing: the next start goes on where it was', async () => {
  const { database, environment, start } = await sandbox()
  for (const entries of [12, 34]) {
    const child = startChild(process.execPath, [join(root, 'dist', 'main.js')], {
      env: environment,
      cwd: dirname(database),
    })
    await vi.waitUntil(() => entriesIn(database) >= entries, { ...PATIENCE, interval: 1 })
    await endChild(child, 'SIGKILL')
  }
  const last = await start()
  const { balances, spent, entries } = await shown(last.address)
  expect({ balances, spent, entries }).toEqual(UNDISTURBED)
  await last.terminate()
  expect(await operator(['audit'], { database })).toMatchObject({ status: 0 })
})
