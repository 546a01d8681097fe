import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { expectRefusal } from '../support/api.ts'
import { openShop, TERMS } from '../support/top-ups.ts'

const LISTS = {
  orders: '/open/app/static/order/list/v2',
  proxies: '/open/app/static/instances',
  renewals: '/open/app/static/renewals',
  traffic: '/dynamic',
  subAccounts: '/b/api/open/app/dynamic/sub-accounts',
  users: '/open/app/agent/sub-users',
  topUps: '/usdt/orders',
  payouts: '/open/app/agent/payouts',
} as const
type List = keyof typeof LISTS

/** A shop, and what its agent is told to have changed in the last minute. */
async function stage() {
  const shop = await openShop()
  const agent = await shop.agent({ balance: 1000 })
  const user = await shop.customer(agent, { balance: 500 })
  await shop.product('static')
  await shop.stock('static', 5)
  await shop.product('dynamic', { proxyType: 104, pool: 'dynamic_1' })
  /** The lists that show something as changed by what is done. */
  const changedBy = async (change: () => Promise<unknown>): Promise<List[]> => {
    shop.clock.advance(60_000)
    const since = shop.clock.now().toISOString()
    await change()
    const client = await shop.as(agent)
    const changed: List[] = []
    for (const list of Object.keys(LISTS) as List[]) {
      const path = LISTS[list]
      const base = path.startsWith('/b') ? ('/b/api' as const) : undefined
      const answer = await client.get(
        `${path.replace('/b/api', '')}?updated_since=${since}`,
        base && { base },
      )
      expect(answer.status).toBe(200)
      const { total, items } = answer.body.data
      for (const item of items as unknown as { updated_at: string }[])
        expect(item.updated_at >= since).toBe(true)
      if (total > 0) changed.push(list)
    }
    return changed
  }
  return { ...shop, agent, user, changedBy }
}

test('Lists tell what has changed since a time: every change that a record shows', async () => {
  const { core, user, changedBy, runJobs, clock, ...shop } = await stage()
  let orderNo = ''
  const order = () => core.orders.getStatic(user, { orderNo })
  const instanceNo = async () => (await order()).instances[0]?.instanceNo ?? ''
  expect(
    await changedBy(async () => {
      ;({ orderNo } = await shop.order(user, { ipCount: 2 }))
    }),
  ).toEqual(['orders', 'users'])
  expect(await changedBy(runJobs)).toEqual(['orders', 'proxies'])
  expect(await changedBy(async () => {})).toEqual([])
  expect(
    await changedBy(async () =>
      core.orders.setProxyNote(user, { instances: [await instanceNo()], note: 'scraper' }),
    ),
  ).toEqual(['orders', 'proxies'])
  expect(await changedBy(() => core.orders.setAutoRenew(user, { orderNo, autoRenew: true }))).toEqual([
    'orders',
    'proxies',
  ])
  expect(await changedBy(() => core.orders.setAutoRenew(user, { orderNo, autoRenew: false }))).toEqual([
    'orders',
    'proxies',
  ])
  expect(await changedBy(() => core.orders.renewStatic(user, { order: { orderNo } }))).toEqual([
    'orders',
    'proxies',
    'renewals',
    'users',
  ])
  expect(
    await changedBy(async () =>
      core.operator.orders.giveCredentials(SHELL, {
        instanceNo: await instanceNo(),
        password: 'another-password',
        reason: 'leaked',
      }),
    ),
  ).toEqual(['orders', 'proxies'])
  expect(
    await changedBy(async () =>
      core.orders.cancelStatic(user, { orderNo, instances: [await instanceNo()], reason: 'x' }),
    ),
  ).toContain('proxies')
  expect(
    await changedBy(() => {
      clock.advance(70 * 86_400_000)
      return runJobs()
    }),
  ).toEqual(['orders', 'proxies'])
})

test('Top-ups, traffic, sub-accounts and sub-users tell their changes, too', async () => {
  const { core, user, changedBy, agent, open, pass, topUp } = await stage()
  let topUpNo = ''
  expect(
    await changedBy(async () => {
      topUpNo = (await core.topUps.create(user, { amount: '20' })).topUp.orderNo
    }),
  ).toEqual(['topUps'])
  expect(await changedBy(() => core.topUps.cancel(user, topUpNo))).toEqual(['topUps'])
  const unpaid = await open(user)
  const untilSwept = async (ms: number) => {
    await pass(ms, 600_000)
    await core.jobs.expireTopUps()
  }
  expect(await changedBy(() => untilSwept(TERMS.expireMs))).toEqual(['topUps'])
  // Nobody is shown that its amount may be used again.
  expect(await changedBy(() => untilSwept(TERMS.graceMs + 1_800_000))).toEqual([])
  expect((await topUp(unpaid)).releasedAt).not.toBeNull()
  expect(
    await changedBy(() => core.orders.createDynamic(user, { poolId: 'dynamic', trafficAmount: 5 })),
  ).toEqual(['traffic', 'users'])
  expect(
    await changedBy(() => core.traffic.createSubAccount(user, { productNo: 'dynamic', amount: 1 })),
  ).toEqual(['subAccounts', 'users'])
  expect(
    await changedBy(() => core.accounts.adjustSubUserBalance(agent, user.id, { amount: 1, remark: 'x' })),
  ).toEqual(['users'])
})

test('Payouts tell that they were asked for, and how they ended', async () => {
  const { core, user, agent, changedBy } = await stage()
  await core.earnings.setPrice(agent, { markupPercent: 50 })
  await core.orders.createDynamic(user, { poolId: 'dynamic', trafficAmount: 60 })
  let payoutNo = ''
  const ask = async () =>
    ({ payoutNo } = (
      await core.earnings.requestPayout(agent, {
        amount: 10,
        address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      })
    ).payout)
  expect(await changedBy(ask)).toEqual(['payouts'])
  expect(await changedBy(() => core.operator.payouts.refuse(SHELL, { payoutNo, reason: 'late' }))).toEqual([
    'payouts',
  ])
  expect(await changedBy(ask)).toEqual(['payouts'])
  expect(await changedBy(() => core.earnings.cancelPayout(agent, payoutNo))).toEqual(['payouts'])
})

test('A time that is none is refused', async () => {
  const { as, agent } = await stage()
  const client = await as(agent)
  expectRefusal(await client.get(`${LISTS.orders}?updated_since=yesterday`), 422, 'validation_error')
  const offset = encodeURIComponent('2026-11-20T17:57:00+08:00')
  expect((await client.get(`${LISTS.orders}?updated_since=${offset}`)).status).toBe(200)
})
