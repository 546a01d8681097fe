import { expect, test } from 'vitest'
import { CREATE, expectRefusal, openApi, orderBody } from '../support/api.ts'
import { rowsOf } from '../support/raw-rows.ts'

const DASHBOARD = '/open/app/dashboard/info/v2'

/** An agent with 1000, whose customer `ann` got 100 in January. */
async function shop(now = '2026-01-31T23:00:00.000Z') {
  const api = await openApi()
  const { agent, customer, core, product, stock, clock } = api
  clock.set(now)
  const seller = await agent({ name: 'seller', balance: 1000 })
  const ann = await customer(seller, { name: 'ann' })
  await core.accounts.adjustSubUserBalance(seller, ann.id, { amount: 100, remark: 'start' })
  await product()
  await stock('static', 20)
  return { ...api, seller, ann }
}

test('The dashboard of somebody who has done nothing is all there, and all zero', async () => {
  const { agent, customer, as, clock } = await openApi()
  clock.set('2026-03-01T00:30:00.000Z')
  const seller = await agent()
  const { data } = (await (await as(await customer(seller))).get(DASHBOARD)).body
  const statuses = (names: string[]) => Object.fromEntries(['total', ...names].map((name) => [name, 0]))
  expect(data).toEqual({
    balance: 0,
    lumi_balance: 0,
    currency: 'USD',
    statistics: {
      totalRecharge: 0,
      totalConsumption: 0,
      monthRecharge: 0,
      monthConsumption: 0,
      lastMonthConsumption: 0,
    },
    dynamicResources: [],
    staticResources: [],
    dailyStats: expect.anything(),
    orders: {
      static: statuses(['processing', 'active', 'partial', 'failed', 'expired', 'cancelled']),
      dynamic: statuses(['processing', 'active', 'exhausted', 'cancelled', 'failed']),
    },
    expiring_soon: 0,
  })
  const { dailyStats } = data as unknown as { dailyStats: { date: string }[] }
  expect(dailyStats).toHaveLength(30)
  expect(dailyStats[0]).toEqual({ date: '2026-01-31', orders: 0, amount: 0 })
  expect(dailyStats[29]).toEqual({ date: '2026-03-01', orders: 0, amount: 0 })
})

test('It adds up recharge and consumption by month and by day in UTC', async () => {
  const { as, ann, clock, runJobs, db, audited } = await shop()
  const client = await as(ann)
  await client.post(CREATE, orderBody(ann.id, { ipCount: 4 }))
  clock.set('2026-02-01T00:00:00.000Z')
  await client.post(CREATE, orderBody(ann.id, { ipCount: 2 }))
  await client.post(CREATE, orderBody(ann.id))
  await db.write((tx) => rowsOf(tx)`UPDATE stock_ips SET disabled = true WHERE id = 1`)
  await runJobs()
  const { data } = (await client.get(DASHBOARD)).body
  expect(data).toMatchObject({
    balance: 94,
    statistics: {
      totalRecharge: 100,
      totalConsumption: 6,
      monthRecharge: 0,
      // Three spent, one refunded of the order of the day before.
      monthConsumption: 2,
      lastMonthConsumption: 4,
    },
    staticResources: [{ title: 'Static', product_no: 'static', total: 6, active: 6, expired: 0 }],
    orders: { static: { total: 3, partial: 1, active: 2, processing: 0 } },
  })
  expect((data as unknown as { dailyStats: object[] }).dailyStats.slice(-2)).toEqual([
    { date: '2026-01-31', orders: 1, amount: 4 },
    { date: '2026-02-01', orders: 2, amount: 2 },
  ])
  await audited()
})

test('It counts what runs out within a week, and knows traffic and titles in the language of the caller', async () => {
  const { as, ann, clock, runJobs, product, buyTraffic, sweep } = await withSweep()
  await product('traffic', {
    proxyType: 104,
    pool: 'dynamic_1',
    names: { en: 'Rotating', zh: '动态' },
    price: 2,
  })
  await buyTraffic(ann, { trafficAmount: 2.5 })
  const client = await as(ann)
  await client.post(CREATE, orderBody(ann.id, { ipCount: 2 }))
  await runJobs()
  expect((await client.get(DASHBOARD)).body.data).toMatchObject({ expiring_soon: 0, lumi_balance: 2.5 })
  clock.set('2026-02-25T00:00:00.000Z')
  const fresh = await as(ann)
  const soon = await fresh.get(DASHBOARD, { base: '/b/api' })
  expect(soon.body.data).toMatchObject({
    expiring_soon: 2,
    lumi_balance: 2.5,
    dyn3_balance: 0,
    dynamicResources: [
      { title: '动态', product_no: 'traffic', total: 2.5, used: 0, remaining: 2.5, percentage: 0 },
    ],
    staticResources: [{ title: '静态', total: 2, active: 2 }],
    orders: { dynamic: { total: 1, active: 1 } },
  })
  clock.set('2026-03-01T12:00:00.000Z')
  await sweep()
  expect((await (await as(ann)).get(DASHBOARD)).body.data).toMatchObject({
    expiring_soon: 0,
    staticResources: [{ total: 2, active: 0, expired: 2 }],
    orders: { static: { total: 1, expired: 1 } },
  })
})

async function withSweep() {
  const api = await shop()
  return { ...api, sweep: api.core.jobs.sweepStaticOrders }
}

test('An agent sees its own figures and the sum of its sub-users, and each of them alone on demand', async () => {
  const { as, seller, ann, customer, agent, core } = await shop('2026-02-10T00:00:00.000Z')
  const bob = await customer(seller, { name: 'bob', balance: 7 })
  await core.accounts.setSubUserStatus(seller, bob.id, { status: 'disabled' })
  await (await as(ann)).post(CREATE, orderBody(ann.id, { ipCount: 3 }))
  const client = await as(seller)
  expect((await client.get(DASHBOARD)).body.data).toMatchObject({
    balance: 900,
    statistics: { totalRecharge: 1000, totalConsumption: 0 },
    orders: { static: { total: 0 } },
    sub_users: {
      total: 2,
      active: 1,
      disabled: 1,
      balance: 104,
      total_recharge: 107,
      total_consumption: 3,
      month_consumption: 3,
      last_month_consumption: 0,
      expiring_soon: 0,
    },
    dailyStats: expect.not.arrayContaining([expect.objectContaining({ orders: 1 })]),
  })
  const { sub_users: sum } = (await client.get(DASHBOARD)).body.data as unknown as {
    sub_users: { dailyStats: object[] }
  }
  expect(sum.dailyStats.at(-1)).toEqual({ date: '2026-02-10', orders: 1, amount: 3 })
  const annsView = (await (await as(ann)).get(DASHBOARD)).body.data
  expect(annsView).not.toHaveProperty('sub_users')
  expect((await client.get(`${DASHBOARD}?target_user_id=${ann.id}`)).body.data).toEqual(annsView)
  expect((await client.get(`${DASHBOARD}?target_user_id=${bob.id}`)).body.data.balance).toBe(7)
  expect((await client.get(`${DASHBOARD}?target_user_id=${seller.id}`)).body.data.balance).toBe(900)

  const stranger = await agent()
  expectRefusal(await client.get(`${DASHBOARD}?target_user_id=${stranger.id}`), 403, 'not_direct_sub_user')
  expectRefusal(await client.get(`${DASHBOARD}?target_user_id=999999`), 404, 'sub_user_not_found')
  expectRefusal(await (await as(ann)).get(`${DASHBOARD}?target_user_id=${seller.id}`), 403, 'agent_required')
  expectRefusal(await client.get(`${DASHBOARD}?target_user_id=one`), 422, 'validation_error')

  // What somebody has spent stays spent when the account is gone.
  await core.accounts.deleteSubUser(seller, ann.id)
  expect((await client.get(DASHBOARD)).body.data).toMatchObject({
    sub_users: {
      total: 1,
      active: 0,
      balance: 7,
      total_recharge: 107,
      total_consumption: 3,
      month_consumption: 3,
    },
  })
})
