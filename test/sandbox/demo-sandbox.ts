import { join } from 'node:path'
import { expect } from 'vitest'
import { DEMO_ACCOUNTS } from '../../src/sandbox/demo-accounts.ts'
import { startProcess } from '../support/process.ts'

/** What neither a kill nor chance changes. */
export const UNDISTURBED = { balances: [1000, 50], spent: 145.7, entries: 18 }

/**
 * A sandbox of its own.
 *
 * @param directory an empty one, or that of a sandbox that has run before
 */
export async function sandbox(directory: string) {
  const database = join(directory, 'reseller.db')
  const environment = { PORT: '0', DATABASE_URL: `file:${database}` }
  return { database, environment, start: () => startProcess(environment, directory) }
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
export async function shown(address: string) {
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

/** Expects that the 30 days were lived through. */
export function expectHistory(history: Awaited<ReturnType<typeof shown>>): void {
  expect(history).toMatchObject(UNDISTURBED)
  const days = history.subUsers as { orders: number }[]
  expect(days.filter(({ orders }) => orders > 0).length).toBeGreaterThan(12)
  expect(history.topUps.map(({ status }) => status)).toEqual(['paid', 'expired'])
  expect(history.dynamic).toMatchObject({ pool_id: 'DYN-1', used_traffic: 3.8, status: 'active' })
  expect(history.static['items']).toMatchObject([{ product_no: 'ISP-RES', status: 'active', ip_count: 3 }])
}
