import { expect, test } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { bookEntry } from '../../../src/core/ledger/book-entry.ts'
import { openService, refused } from '../../support/service.ts'
import { supplier, suppliedCall, suppliedOrder } from '../../support/supplied-books.ts'
import { testDriver } from '../../support/test-driver.ts'

const DAY = 24 * 60 * 60_000
const OPS = 700

async function openShop() {
  const driver = testDriver()
  const service = await openService({ drivers: driver.drivers, operatorChats: [OPS] })
  const acme = await supplier(service)
  const ann = await service.customer(null, { name: 'ann', balance: 500 })
  return { ...service, driver, acme, ann }
}

test('profit by product: revenue less refunds and cost; renewals, releases and expected costs count, of own stock without a cost it is unknown', async () => {
  const shop = await openShop()
  const { core, db, clock, acme, ann } = shop
  await shop.product('own', { price: 3 })
  await shop.stock('own', 5)
  await core.operator.addProduct(SHELL, {
    productNo: 'traffic',
    names: { en: 'Traffic', zh: '流量' },
    price: 4,
    proxyType: 104,
    pool: 'dynamic_1',
    gateway: 'gw.example.com:8000',
  })
  const { orderNo } = await suppliedOrder(shop, acme, ann, { count: 4, price: 5, cost: 7.5 })
  await suppliedOrder(shop, acme, ann, { count: 2, state: 'refused', cost: 0 })
  await suppliedOrder(shop, acme, ann, { count: 1, state: 'in_doubt' })
  await suppliedCall(shop, acme, orderNo, { callNo: 'R1', kind: 'renew', cost: 2 })
  await suppliedCall(shop, acme, orderNo, { callNo: 'C1', kind: 'release', cost: -1.5 })
  await db.write((tx) =>
    bookEntry(tx, clock.now(), {
      accountId: ann.id,
      type: 'refund',
      amount: 10_000_000,
      source: `refund:${orderNo}`,
      orderType: 'static',
      orderNo,
      operatorId: null,
    }),
  )
  await shop.order(ann, { poolId: 'own', ipCount: 2 })
  await shop.runJobs()
  await shop.buyTraffic(ann, { trafficAmount: 2 })

  // 7 proxies at 5; 7.5 + 2 charged, 1.5 given back, 2 expected of the one in doubt.
  const isp = { productNo: 'isp', names: { en: 'ISP', zh: '住宅' }, supplier: 'acme' }
  const earned = { revenue: 35e6, refunds: 10e6, agents: 0, cost: 10e6, expectedCost: 2e6, margin: 15e6 }
  const unknown = { refunds: 0, agents: 0, cost: null, expectedCost: 0, margin: null }
  const today = await core.operator.profit(SHELL, { from: '2026-03-01', to: '2026-03-01' })
  expect(today).toEqual({
    from: '2026-03-01',
    to: '2026-03-01',
    products: [
      { ...isp, ...earned, unknownCost: 0 },
      {
        productNo: 'traffic',
        names: { en: 'Traffic', zh: '流量' },
        supplier: 'inventory',
        revenue: 8e6,
        ...unknown,
        unknownCost: 0,
      },
      {
        productNo: 'own',
        names: { en: 'Static', zh: '静态' },
        supplier: 'inventory',
        revenue: 6e6,
        ...unknown,
        unknownCost: 2,
      },
    ],
    total: { ...earned, revenue: 49e6, unknownCost: 2 },
  })
  expect(await core.operator.dayFigures()).toMatchObject({ cost: 10e6, margin: 15e6 })

  clock.advance(3 * DAY)
  await suppliedOrder(shop, acme, ann, { cost: 2.25 })
  expect((await core.operator.profit(SHELL, { from: '2026-03-02' })).products).toEqual([
    { ...isp, ...unknown, revenue: 5e6, cost: 2.25e6, unknownCost: 0, margin: 2.75e6 },
  ])
  // By default this month up to today.
  expect(await core.operator.profit(SHELL)).toMatchObject({
    from: '2026-03-01',
    to: '2026-03-04',
    total: { cost: 12.25e6, margin: 17.75e6 },
  })
  expect((await core.operator.profit(SHELL, { from: '2026-01-01', to: '2026-02-28' })).products).toEqual([])
  await refused(core.operator.profit(SHELL, { from: '2026-03-02', to: '2026-03-01' }), 'validation_error')
  await refused(core.operator.profit(SHELL, { from: '2026-02-30' }), 'validation_error')
})

test('own stock costs its monthly cost for the time that is sold: an order, a renewal, and less what a release leaves', async () => {
  const shop = await openShop()
  const { core, clock, ann } = shop
  await shop.product('own', { price: 3 })
  const line = (at: number, cost: string) => `own,198.51.100.${at},8000,u,secret,US,,,,${cost}`
  const heading = 'product_no,ip,port,username,password,country_code,state,city_code,cidr,cost'
  const file = [heading, line(1, ''), line(2, '2'), line(3, '')].join('\n')
  await core.operator.importStock(SHELL, file, { cost: 1.2 })
  expect(await core.operator.listStock()).toContainEqual(
    expect.objectContaining({ free: 3, leastCost: 1.2e6, mostCost: 2e6 }),
  )
  const bought = await shop.order(ann, { poolId: 'own', ipCount: 3 })
  await shop.runJobs()
  const costs = async () => (await core.operator.profit(SHELL, { from: '2026-03-01' })).products
  expect(await costs()).toMatchObject([{ revenue: 9e6, cost: 4.4e6, unknownCost: 0, margin: 4.6e6 }])

  // Half of March, which has 31 days, is left.
  clock.advance(15.5 * DAY)
  const { instances } = await core.orders.getStatic(ann, bought)
  const named = (ip: string) => instances.filter((one) => one.ip === ip).map(({ instanceNo }) => instanceNo)
  await core.orders.renewStatic(ann, {
    order: bought,
    instances: [{ instanceNo: named('198.51.100.2')[0] ?? '' }],
  })
  await core.orders.cancelStatic(ann, { ...bought, instances: named('198.51.100.1') })
  expect(await costs()).toMatchObject([{ revenue: 12e6, cost: 5.8e6, margin: 6.2e6 }])

  await shop.stock('own', 1)
  await shop.order(ann, { poolId: 'own' })
  await shop.runJobs()
  expect(await costs()).toMatchObject([{ revenue: 15e6, cost: 5.8e6, unknownCost: 1, margin: 9.2e6 }])
  expect(await core.operator.dayFigures('2026-03-01')).toMatchObject({ cost: 4.4e6, margin: 4.6e6 })
})

test('without supplied products, figures of the day have no cost', async () => {
  const service = await openService()
  const ann = await service.customer(null, { balance: 10 })
  await service.product()
  await service.stock('static', 1)
  await service.order(ann)
  const figures = await service.core.operator.dayFigures()
  expect(figures.revenue).toBe(1e6)
  expect(figures).not.toHaveProperty('cost')
  expect((await service.core.operator.profit(SHELL)).total).toMatchObject({ cost: null, margin: null })
})

test('the part of agents is no income of the shop, neither of what was paid nor of what was given back', async () => {
  const shop = await openShop()
  const { core } = shop
  const agent = await shop.agent({ balance: 10 })
  const user = await shop.customer(agent, { balance: 100 })
  await shop.product('own', { price: 10 })
  await shop.stock('own', 5)
  await core.earnings.setPrice(agent, { markupPercent: 25 })
  const bought = await shop.order(user, { poolId: 'own', ipCount: 3 })
  await shop.runJobs()
  const { instances } = await core.orders.getStatic(user, bought)
  await core.orders.cancelStatic(user, { ...bought, instances: [instances[0]?.instanceNo ?? ''] })
  const own = { revenue: 30e6, refunds: 10e6, agents: 5e6 }
  const { products, total } = await core.operator.profit(SHELL)
  expect([products[0], total]).toMatchObject([own, own])
  expect(await core.operator.dayFigures()).toMatchObject(own)
})

test('a low balance at a supplier is told once until it recovers; the forecast counts the costs of the last 7 days', async () => {
  const shop = await openShop()
  const { core, clock, acme, ann, driver } = shop
  const told = async () =>
    (
      await shop.db.read.notice.findMany({ where: { kind: 'supplier_balance_low' }, orderBy: { id: 'asc' } })
    ).map(({ data }) => JSON.parse(data) as object)
  const look = async () => {
    clock.advance(60_000)
    for (const sweep of core.jobs.noticeSweeps) await sweep()
    return told()
  }
  const [fresh] = await core.operator.suppliers.list()
  expect(fresh).toMatchObject({ balance: 100e6, daysLeft: null, refundHours: 12 })
  expect(await look()).toEqual([])

  clock.advance(7 * DAY)
  await suppliedOrder(shop, acme, ann, { count: 35, price: 1, cost: 70 })
  await core.operator.suppliers.sync(SHELL, 'acme')
  // 70 in 7 days are 10 a day.
  expect((await core.operator.suppliers.list())[0]?.daysLeft).toBe(10)
  expect(await look()).toEqual([])
  driver.state.balance = '25'
  await core.operator.suppliers.sync(SHELL, 'acme')
  const low = { connection: 'acme', balance: 25e6, daysLeft: 2.5 }
  expect(await look()).toEqual([low])
  expect(await look()).toEqual([low])
  // A little above the alarm is no recovery yet.
  driver.state.balance = '35'
  await core.operator.suppliers.sync(SHELL, 'acme')
  expect(await look()).toEqual([low])
  driver.state.balance = '90'
  await core.operator.suppliers.sync(SHELL, 'acme')
  expect(await look()).toEqual([low])
  await core.operator.suppliers.edit(SHELL, 'acme', { alarmBalance: 91, alarmDays: 0 })
  const below = { connection: 'acme', balance: 90e6, daysLeft: 9 }
  expect(await look()).toEqual([low, below])
  await core.operator.suppliers.pause(SHELL, 'acme')
  await core.operator.suppliers.edit(SHELL, 'acme', { alarmBalance: 0 })
  expect(await look()).toEqual([low, below])
})
