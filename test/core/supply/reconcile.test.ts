import { expect, test } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { type SupplierInstance, SupplierFault } from '../../../src/core/supply/driver.ts'
import { openService, refused } from '../../support/service.ts'
import { supplier, suppliedCall, suppliedOrder } from '../../support/supplied-books.ts'
import { testDriver } from '../../support/test-driver.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const OPS = 700

async function openShop() {
  const driver = testDriver()
  const service = await openService({ drivers: driver.drivers, operatorChats: [OPS] })
  const acme = await supplier(service)
  const ann = await service.customer(null, { name: 'ann', balance: 500 })
  return { ...service, driver, acme, ann }
}

function proxy(providerInstanceNo: string, change: Partial<SupplierInstance> = {}): SupplierInstance {
  const address = { ip: '203.0.113.1', port: 8000, username: 'u', password: 'p' }
  return { providerInstanceNo, ...address, status: 'running', ...change }
}

test('books that agree have no difference; what differs is found both ways', async () => {
  const shop = await openShop()
  const { core, clock, driver, acme, ann } = shop
  const good = await suppliedOrder(shop, acme, ann, { providerOrderNo: 'P1', proxies: ['i1'] })
  const createdAt = clock.now().toISOString()
  const done = { count: 1, createdAt, status: 'done' } as const
  const listed = { ...done, callNo: good.orderNo, providerOrderNo: 'P1', amount: '2.00' }
  driver.state.orders = [listed]
  driver.state.instances = [proxy('i1', { expireTime: good.expireTime })]
  clock.advance(HOUR)
  expect(await core.operator.suppliers.reconcile(SHELL, 'acme')).toEqual({
    name: 'acme',
    since: createdAt,
    orders: 1,
    running: 1,
    differences: [],
  })
  expect((await core.operator.suppliers.list())[0]?.reconciledAt).toBe(clock.now().toISOString())

  // A supplier that does not keep our number is matched by its own.
  driver.state.orders = [{ ...done, providerOrderNo: 'P1', amount: '2.5' }]
  const dear = { kind: 'amount', subject: 'P1', orderNo: good.orderNo, ours: '2.00', theirs: '2.50' }
  expect((await core.operator.suppliers.reconcile(SHELL, 'acme')).differences).toEqual([dear])

  const refusedHere = await suppliedOrder(shop, acme, ann, { state: 'refused', cost: 0 })
  const forgotten = await suppliedOrder(shop, acme, ann, { providerOrderNo: 'P3', proxies: ['i3'] })
  const left = await suppliedOrder(shop, acme, ann, { providerOrderNo: 'P4', proxies: ['i4'] })
  const released = await suppliedOrder(shop, acme, ann, {
    providerOrderNo: 'P5',
    proxies: ['i5'],
    status: 'released',
  })
  const short = await suppliedOrder(shop, acme, ann, { providerOrderNo: 'P6', proxies: ['i6'] })
  const now = clock.now().toISOString()
  const inTime = { createdAt: now, count: 1, status: 'done' } as const
  driver.state.found.set(left.orderNo, { status: 'ended', instances: [] })
  driver.state.orders = [
    listed,
    { ...inTime, providerOrderNo: 'P9', amount: '4' },
    { ...inTime, callNo: refusedHere.orderNo, providerOrderNo: 'P2' },
    { ...inTime, providerOrderNo: 'P5' },
    { ...inTime, callNo: short.orderNo, providerOrderNo: 'P6' },
    { ...inTime, providerOrderNo: 'P10', status: 'failed' },
  ]
  const dayEarlier = new Date(Date.parse(short.expireTime) - DAY).toISOString()
  driver.state.instances = [
    // 12 hours are tolerated.
    proxy('i1', { expireTime: new Date(Date.parse(good.expireTime) - 12 * HOUR).toISOString() }),
    proxy('i4', { status: 'closed' }),
    proxy('i5'),
    proxy('i6', { expireTime: dayEarlier }),
    proxy('stray', { ip: '203.0.113.77' }),
  ]
  const { differences } = await core.operator.suppliers.reconcile(SHELL, 'acme')
  expect(differences).toEqual([
    { kind: 'unknown_order', subject: 'P9', orderNo: null, ours: '-', theirs: '4.00 (done)' },
    { kind: 'refused_order', subject: 'P2', orderNo: refusedHere.orderNo, ours: 'refused', theirs: 'done' },
    {
      kind: 'released_runs',
      subject: 'i5',
      orderNo: released.orderNo,
      ours: 'released',
      theirs: '203.0.113.1:8000',
    },
    { kind: 'expiry', subject: 'i6', orderNo: short.orderNo, ours: short.expireTime, theirs: dayEarlier },
    { kind: 'not_ours', subject: 'stray', orderNo: null, ours: '-', theirs: '203.0.113.77:8000' },
    // P4 is not in the list, but the supplier knows it when it is asked.
    { kind: 'missing_order', subject: 'P3', orderNo: forgotten.orderNo, ours: 'settled', theirs: 'unknown' },
    {
      kind: 'not_running',
      subject: 'i3',
      orderNo: forgotten.orderNo,
      ours: '203.0.113.1:8000',
      theirs: 'unknown',
    },
    {
      kind: 'not_running',
      subject: 'i4',
      orderNo: left.orderNo,
      ours: '203.0.113.1:8000',
      theirs: 'closed',
    },
  ])
})

test('what is under way is no difference; what is in doubt is left to the operator and shown', async () => {
  const shop = await openShop()
  const { core, clock, db, driver, acme, ann } = shop
  const sent = await suppliedOrder(shop, acme, ann, { state: 'sent' })
  const renewed = await suppliedOrder(shop, acme, ann, { providerOrderNo: 'P2', proxies: ['i2'] })
  await suppliedCall(shop, acme, renewed.orderNo, { callNo: 'R1', kind: 'renew', cost: 2, state: 'sent' })
  const createdAt = clock.now().toISOString()
  driver.state.found.set(renewed.orderNo, { status: 'ended', instances: [] })
  driver.state.orders = [{ providerOrderNo: 'P1', count: 1, createdAt, status: 'done' }]
  driver.state.instances = [
    proxy('i1'),
    proxy('i2', { expireTime: new Date(Date.parse(renewed.expireTime) + 30 * DAY).toISOString() }),
  ]
  expect((await core.operator.suppliers.reconcile(SHELL, 'acme')).differences).toEqual([])

  await db.write((tx) =>
    tx.supplierCall.update({ where: { callNo: sent.orderNo }, data: { state: 'in_doubt' } }),
  )
  await db.write((tx) =>
    tx.supplierCall.update({ where: { callNo: 'R1' }, data: { state: 'refused', nextAt: null } }),
  )
  const { differences } = await core.operator.suppliers.reconcile(SHELL, 'acme')
  expect(differences.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['unknown_order', 'P1'],
    ['not_ours', 'i1'],
    ['expiry', 'i2'],
  ])
})

test('amounts from before a new rate are not compared', async () => {
  const shop = await openShop()
  const { core, clock, driver, acme, ann } = shop
  const before = await suppliedOrder(shop, acme, ann, { providerOrderNo: 'P1', proxies: [] })
  clock.advance(HOUR)
  await core.operator.suppliers.edit(SHELL, 'acme', { rate: 1.1 })
  const after = await suppliedOrder(shop, acme, ann, { providerOrderNo: 'P2', cost: 2.2 })
  const dear = await suppliedOrder(shop, acme, ann, { providerOrderNo: 'P3', cost: 2 })
  const createdAt = clock.now().toISOString()
  driver.state.orders = [before, after, dear].map(({ orderNo: callNo }, at) => ({
    callNo,
    providerOrderNo: `P${at + 1}`,
    count: 1,
    amount: '2',
    createdAt,
    status: 'done',
  }))
  const { differences } = await core.operator.suppliers.reconcile(SHELL, 'acme')
  expect(differences).toEqual([
    { kind: 'amount', subject: 'P3', orderNo: dear.orderNo, ours: '2.00', theirs: '2.20' },
  ])
})

test('each connection is compared once a day, a silent supplier delays no other, and the same differences are told once', async () => {
  const shop = await openShop()
  const { core, db, clock, driver } = shop
  const { suppliers } = core.operator
  const { signal } = new AbortController()
  const told = async () =>
    (await db.read.notice.findMany({ where: { kind: 'supplier_differences' }, orderBy: { id: 'asc' } })).map(
      ({ data }) => JSON.parse(data) as object,
    )
  expect(await core.supply.reconcileDue(signal)).toEqual(['acme'])
  expect(await core.supply.reconcileDue(signal)).toEqual([])
  expect(await told()).toEqual([])

  clock.advance(DAY)
  driver.state.instances = [proxy('stray')]
  expect(await core.supply.reconcileDue(signal)).toEqual(['acme'])
  const stray = { kind: 'not_ours', subject: 'stray', orderNo: null, ours: '-', theirs: '203.0.113.1:8000' }
  const first = { connection: 'acme', counts: { not_ours: 1 }, examples: [stray] }
  expect(await told()).toEqual([first])
  clock.advance(DAY)
  expect(await core.supply.reconcileDue(signal)).toEqual(['acme'])
  expect(await told()).toEqual([first])
  clock.advance(DAY)
  driver.state.instances = [proxy('stray'), proxy('other')]
  await core.supply.reconcileDue(signal)
  expect(await told()).toMatchObject([first, { counts: { not_ours: 2 } }])

  clock.advance(DAY)
  driver.state.fault = new SupplierFault('unknown', 'no answer')
  expect(await core.supply.reconcileDue(signal)).toEqual([])
  await refused(suppliers.reconcile(SHELL, 'acme'), 'supplier_error', {
    reason: 'no answer',
    fault: 'unknown',
  })
  driver.state.fault = undefined
  // Not before an hour has passed.
  expect(await core.supply.reconcileDue(signal)).toEqual([])
  clock.advance(HOUR)
  expect(await core.supply.reconcileDue(signal)).toEqual(['acme'])

  clock.advance(DAY)
  driver.state.hangs = true
  const closing = new AbortController()
  const hanging = core.supply.reconcileDue(closing.signal)
  closing.abort()
  expect(await hanging).toEqual([])
})
