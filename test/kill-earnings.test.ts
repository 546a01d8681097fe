import { expect, test } from 'vitest'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { SHELL } from '../src/core/people/operator.ts'
import { killPoints, type KillPoint } from './support/kill-points.ts'
import { operator } from './support/processes.ts'
import { AGENT, CUSTOMER } from './support/product.ts'
import { openShopToKill } from './support/shop-to-kill.ts'

const PAYOUT = { amount: 12, address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }
const ENTRY = '^insert into "earning_entries"'

/** Where the process ends: of a purchase of 4 GB, with two entries of the earning, and of a payout of 12. */
const POINTS: readonly (readonly ['buy' | 'payout', KillPoint])[] = [
  ['buy', { statement: ENTRY, count: 2, moment: 'before' }],
  ['buy', { statement: ENTRY, count: 1, moment: 'committed' }],
  ['payout', { statement: ENTRY, count: 1, moment: 'before' }],
  ['payout', { statement: ENTRY, count: 1, moment: 'committed' }],
]

test('a kill in a purchase or a payout leaves payment, earning and payout together, and a repetition does each once', async () => {
  const points = await killPoints()
  const shop = await openShopToKill([{ ...AGENT, balance: 100 }], points.settings, async (core) => {
    const logIn = await core.accounts.logIn({ ...AGENT, address: 'test' })
    const agent = await core.accounts.authenticate(logIn.token)
    await core.accounts.createSubUser(agent, { ...CUSTOMER, balance: 90 })
    const names = { productNo: 'DYN', nameEn: 'Traffic', nameZh: '流量' }
    const traffic = { proxyType: 104, pool: 'dynamic_1', gateway: 'gw.example.com:8000' } as const
    await core.operator.addProduct(SHELL, { ...names, ...traffic, price: 1 })
    await core.earnings.setPrice(agent, { markupPercent: 400 })
  })
  let { address, kill } = await shop.start()
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${address}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { code: number; data: { token: string } }
  }
  const authorization = async (account: typeof AGENT) =>
    `Bearer ${(await post('/auth/login', account)).data.token}`
  const tokens = { buy: await authorization(CUSTOMER), payout: await authorization(AGENT) }
  const order = { orderType: 'dynamic_proxy', poolId: 'DYN', trafficAmount: 4, userId: 2 }

  for (const [index, [what, point]] of POINTS.entries()) {
    const ask = () =>
      post(
        what === 'buy' ? '/open/app/order/create/v2' : '/open/app/agent/payouts',
        what === 'buy' ? order : PAYOUT,
        { authorization: tokens[what], 'idempotency-key': `request ${index}` },
      )
    points.set(point)
    await expect(ask()).rejects.toThrow('fetch failed')
    expect(points.isSet()).toBe(false)
    await kill()
    ;({ address, kill } = await shop.start())
    expect((await ask()).code).toBe(0)
    expect((await ask()).code).toBe(0)
  }

  const database = new SqliteDatabase(shop.database, { readonly: true })
  const row = database
    .prepare(
      `SELECT (SELECT count(*) FROM dynamic_orders) AS orders, (SELECT count(*) FROM earnings) AS earnings,
              (SELECT count(*) FROM payouts) AS payouts, (SELECT balance FROM accounts WHERE id = 2) / 1000000 AS left,
              earning_pending AS pending, earning_available / 1000000 AS available FROM accounts WHERE id = 1`,
    )
    .get()
  database.close()
  // Two purchases for 20, by each of which the agent earns 16, and two payouts.
  expect(row).toEqual({ orders: 2, earnings: 2, payouts: 2, left: 50, pending: 0, available: 8 })
  expect(await operator(['audit'], { database: shop.database })).toMatchObject({ status: 0 })
})
