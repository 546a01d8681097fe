import { expect, test, vi } from 'vitest'
import { openDatabase } from '../src/core/database/database.ts'
import { SHELL } from '../src/core/people/operator.ts'
import { proveEarnings } from './support/earnings-proof.ts'
import { killPoints, type KillPoint } from './support/kill-points.ts'
import { urlOf } from './support/postgres.ts'
import { operator } from './support/processes.ts'
import { PATIENCE } from './support/patience.ts'
import { AGENT, CUSTOMER, SECRET, stockFile } from './support/product.ts'
import { openShopToKill } from './support/shop-to-kill.ts'

const PAYOUT = { amount: 12, address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }
const ENTRY = '^insert into "earning_entries"'

/** Where the process ends: of a purchase of 4 GB with a code, with two entries of the earning, and of a payout of 12. */
const POINTS: readonly (readonly ['buy' | 'payout', KillPoint])[] = [
  ['buy', { statement: '^insert into "promo_uses"', count: 1, moment: 'before' }],
  ['buy', { statement: ENTRY, count: 1, moment: 'committed' }],
  ['payout', { statement: ENTRY, count: 1, moment: 'before' }],
  ['payout', { statement: ENTRY, count: 1, moment: 'committed' }],
]

test('a kill in a purchase, a payout or a refund leaves money, earning and code together, and a repetition does each once', async () => {
  const points = await killPoints()
  const shop = await openShopToKill([{ ...AGENT, balance: 0 }], points.settings, async (core) => {
    const logIn = await core.accounts.logIn({ ...AGENT, address: 'test' })
    const agent = await core.accounts.authenticate(logIn.token)
    const paid = { username: AGENT.username, amount: 100, paid: true, remark: 'cash' }
    await core.operator.adjustBalance(SHELL, paid)
    await core.accounts.createSubUser(agent, { ...CUSTOMER, balance: 90 })
    const names = { productNo: 'DYN', names: { en: 'Traffic', zh: '流量' } }
    const traffic = { proxyType: 104, pool: 'dynamic_1', gateway: 'gw.example.com:8000' } as const
    await core.operator.addProduct(SHELL, { ...names, ...traffic, price: 1 })
    await core.earnings.setPrice(agent, { markupPercent: 400 })
    await core.promotions.create(agent, { code: 'OFF', amount: 2, maxUses: 2 })
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
  const order = { orderType: 'dynamic_proxy', poolId: 'DYN', trafficAmount: 4, userId: 2, promoCode: 'OFF' }

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

  const { rows } = shop.beside
  const [bought] = await rows<{ orderNo: string }>('SELECT order_no AS "orderNo" FROM dynamic_orders')
  const refund = () =>
    operator(['refund', bought?.orderNo ?? '', '--amount', '9', '--reason', 'slow', '--yes'], {
      database: shop.database,
      env: points.settings,
    })
  points.set({ statement: ENTRY, count: 1, moment: 'before' })
  expect(await refund()).not.toMatchObject({ status: 0 })
  expect(points.isSet()).toBe(false)
  expect(await refund()).toMatchObject({ status: 0 })

  const [row] = await rows(
    `SELECT (SELECT count(*) FROM dynamic_orders) AS orders, (SELECT count(*) FROM earnings) AS earnings,
              (SELECT uses FROM promo_codes) AS uses, (SELECT count(*) FROM payouts) AS payouts,
              (SELECT count(*) FROM refunds) AS refunds, (SELECT balance FROM accounts WHERE id = 2) / 1000000 AS left,
              earning_pending AS pending, earning_available AS available, earning_owed / 1000000 AS owed
         FROM accounts WHERE id = 1`,
  )
  // Two purchases for 18, by each of which the agent earns 14, and two payouts; half of one purchase came back, and what the agent
  // has no more of its part is owed.
  const booked = { orders: 2, earnings: 2, uses: 2, payouts: 2, refunds: 1 }
  expect(row).toEqual({ ...booked, left: 63, pending: 0, available: 0, owed: 3 })
  expect(await operator(['audit'], { database: shop.database })).toMatchObject({ status: 0 })
})

/** What is read of the answers to the requests of a customer. */
interface Answer {
  readonly token: string
  readonly order_no: string
  readonly instances: readonly { readonly instance_no: string }[]
}

test('a kill in a renewal, a release, a replacement or an end leaves each whole, and the books are those of one of each', async () => {
  const points = await killPoints()
  const shop = await openShopToKill([{ ...AGENT, balance: 200 }], points.settings, async (core) => {
    const logIn = await core.accounts.logIn({ ...AGENT, address: 'test' })
    const agent = await core.accounts.authenticate(logIn.token)
    await core.accounts.createSubUser(agent, { ...CUSTOMER, balance: 100 })
    await core.operator.addProduct(SHELL, { productNo: 'ISP', names: { en: 'ISP', zh: '住宅' }, price: 1 })
    await core.operator.editProduct(SHELL, 'ISP', { replacePolicy: 'auto' })
    await core.operator.importStock(SHELL, stockFile('ISP', '198.51.100', 6))
    await core.earnings.setPrice(agent, { markupPercent: 400 })
  })
  let { address, kill } = await shop.start()
  const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${address}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { code: number; data: Answer }
  }
  const { token } = (await ask('/auth/login', CUSTOMER)).data
  const authorization = `Bearer ${token}`
  const order = {
    orderType: 'static_proxy',
    poolId: 'ISP',
    userId: 2,
    unitPrice: 0,
    totalAmount: 0,
    ipCount: 4,
    duration: 1,
    unit: 3,
    cycleTimes: 1,
  }
  const bought = await ask('/open/app/static/order/create-standard/v2', order, {
    authorization,
  })
  expect(bought).toMatchObject({ code: 0 })
  const { order_no: orderNo } = bought.data
  const proxies = await vi.waitUntil(async () => {
    const { data } = await ask(`/open/app/static/orders/${orderNo}`, undefined, { authorization })
    return data.instances.length === 4 && data.instances.map(({ instance_no: number }) => number)
  }, PATIENCE)

  const [first = '', second = '', third = ''] = proxies
  const steps: readonly (readonly [path: string, body: object, point: KillPoint])[] = [
    [
      '/open/app/static/order/renew',
      { order_no: orderNo, instances: [first], duration: 1, unit: 3, cycleTimes: 1 },
      { statement: ENTRY, count: 1, moment: 'before' },
    ],
    [
      `/open/app/static/order/${orderNo}/cancel`,
      { instances: [second], reason: 'not needed' },
      { statement: ENTRY, count: 1, moment: 'before' },
    ],
    [
      `/open/app/static/order/${orderNo}/cancel`,
      { instances: [third], reason: 'not needed' },
      { statement: ENTRY, count: 1, moment: 'committed' },
    ],
    [
      `/open/app/static/instances/${first}/replace`,
      { reason: 'does not connect' },
      { statement: '^insert into "replacements"', count: 1, moment: 'committed' },
    ],
  ]
  for (const [index, [path, body, point]] of steps.entries()) {
    const step = () => ask(path, body, { authorization, 'idempotency-key': `step ${index}` })
    points.set(point)
    await expect(step()).rejects.toThrow('fetch failed')
    expect(points.isSet()).toBe(false)
    await kill()
    ;({ address, kill } = await shop.start())
    expect(await step()).toMatchObject({ code: 0 })
    expect(await step()).toMatchObject({ code: 0 })
  }

  const end = () =>
    operator(['order', 'end', orderNo, '--reason', 'misuse', '--yes'], {
      database: shop.database,
      env: { ...points.settings, SECRETS_KEY: SECRET },
    })
  points.set({ statement: '^update "instances"', count: 1, moment: 'before' })
  expect(await end()).not.toMatchObject({ status: 0 })
  expect(points.isSet()).toBe(false)
  expect((await end()).stdout).toBe('Ended 2 proxies of customer; nothing was given back\n')

  const db = await openDatabase(urlOf(shop.database))
  await proveEarnings({ db }, () => 1_000_000n)
  const customer = await db.read.account.findUniqueOrThrow({ where: { id: 2 } })
  const agent = await db.read.account.findUniqueOrThrow({ where: { id: 1 } })
  await db.close()
  // Four for 20 and a renewal for 5; two came back.
  expect(customer.balance).toBe(85_000_000n)
  expect(agent.earningPending + agent.earningAvailable - agent.earningOwed).toBe(12_000_000n)
  expect(await operator(['audit'], { database: shop.database })).toMatchObject({ status: 0 })
})
