import { describe, expect, it, vi } from 'vitest'
import { PATIENCE } from '../../support/patience.ts'
import { refused, tally } from '../../support/service.ts'
import { suppliedShop } from '../../support/supplied-shop.ts'
import { testSupplier } from '../../support/test-supplier.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const OPERATOR = [900]

describe('an order from a supplier', () => {
  it('is accepted with its call, bought after the commit, and delivered with cost and expiry', async () => {
    const { order, buyer, supplier, step, call, offer, account, runJobs, found, proven, db } =
      await suppliedShop()
    supplier.behaviour.expireTime = '2026-03-31T12:00:00.000Z'
    const { orderNo } = await order(buyer, { ipCount: 3 })
    expect(supplier.orders.size).toBe(0)
    expect(await call(orderNo)).toMatchObject({ state: 'intended', count: 3, expectedCost: 6_000_000 })
    expect([(await offer()).stock, (await account()).balance]).toEqual([97, 994_000_000n])
    await proven(988)
    expect(await step()).toEqual(['settled'])
    await runJobs()
    const { status, instances } = await found(orderNo)
    expect(status).toBe('active')
    expect(instances.map(({ expireTime }) => expireTime)).toEqual(
      Array.from({ length: 3 }, () => '2026-03-31T12:00:00.000Z'),
    )
    const rows = await db.read.instance.findMany({ orderBy: { id: 'asc' } })
    expect(rows.map(({ cost, providerInstanceNo }) => [cost, providerInstanceNo])).toEqual([
      [2_000_000n, 'N1'],
      [2_000_000n, 'N2'],
      [2_000_000n, 'N3'],
    ])
    expect(await call(orderNo)).toMatchObject({
      state: 'settled',
      cost: 6_000_000,
      result: null,
      nextAt: null,
    })
    expect((await db.read.staticOrder.findFirstOrThrow()).cost).toBe(6_000_000n)
    await proven(988)
  })

  it('that is worked on is looked up with growing pauses until it is done', async () => {
    const { order, buyer, supplier, step, call, clock, runJobs, found, proven, placed } = await suppliedShop()
    supplier.behaviour.immediate = false
    const { orderNo } = await order(buyer)
    expect(await step()).toEqual(['accepted'])
    expect(await step()).toEqual([])
    const pauses: number[] = []
    for (let round = 0; round < 30; round += 1) {
      const next = Date.parse((await call(orderNo)).nextAt ?? '')
      pauses.push(next - clock.now().getTime())
      clock.set(new Date(next).toISOString())
      expect(await step()).toEqual(['open'])
    }
    expect(pauses[0]).toBe(2 * SECOND)
    expect(pauses.at(-1)).toBe(MINUTE)
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
    supplier.finish(orderNo)
    clock.advance(MINUTE)
    expect(await step()).toEqual(['settled'])
    await runJobs()
    expect((await found(orderNo)).status).toBe('active')
    expect(placed()).toHaveLength(1)
    await proven(996)
  })

  it('that is refused for the balance there is refunded, and told to the operator once a day', async () => {
    const { order, buyer, supplier, step, runJobs, found, proven, db, clock } = await suppliedShop({
      operatorChats: OPERATOR,
    })
    supplier.behaviour.refuses = 'insufficient_balance'
    const refusedOne = async () => {
      const { orderNo } = await order(buyer)
      expect(await step()).toEqual(['refused'])
      await runJobs()
      expect((await found(orderNo)).status).toBe('failed')
    }
    const told = () => db.read.notice.findMany({ where: { kind: 'supplier_balance_short' } })
    await refusedOne()
    await refusedOne()
    expect((await told()).map(({ data }) => JSON.parse(data) as object)).toMatchObject([
      { connection: 'upstream' },
    ])
    clock.advance(24 * 60 * MINUTE)
    await db.write((tx) => tx.supplierOffer.updateMany({ data: { seenAt: clock.now() } }))
    await refusedOne()
    expect(await told()).toHaveLength(2)
    await proven(1000)
  })

  it('that is refused is refunded once; an offer that is sold out is not sold until the next sync', async () => {
    const {
      order,
      buyer,
      supplier,
      step,
      call,
      offer,
      runJobs,
      found,
      proven,
      account,
      core,
      connectionId,
      clock,
    } = await suppliedShop()
    supplier.behaviour.refuses = 'out_of_stock'
    const { orderNo } = await order(buyer, { ipCount: 2 })
    expect(await step()).toEqual(['refused'])
    await runJobs()
    await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'failed', refundedAmount: 8_000_000 })
    expect(await call(orderNo)).toMatchObject({ state: 'refused', cost: 0 })
    expect((await offer()).stock).toBe(0)
    expect((await account()).syncDueAt).toEqual(clock.now())
    await refused(order(buyer), 'out_of_stock', { available: 0 })
    clock.advance(1)
    await core.supply.sync(connectionId)
    expect([(await offer()).stock, (await account()).balance]).toEqual([100, 1_000_000_000n])
    await proven(1000)
  })

  it('of which a part is delivered gets back the rest, and costs what was charged', async () => {
    const { order, buyer, supplier, step, runJobs, found, proven, db } = await suppliedShop()
    supplier.behaviour.delivers = 2
    const { orderNo } = await order(buyer, { ipCount: 5 })
    expect(await step()).toEqual(['settled'])
    await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'partial', successCount: 2 })
    expect((await db.read.staticOrder.findFirstOrThrow()).cost).toBe(4_000_000n)
    await proven(992)
  })

  it('of which too many are delivered gets what was ordered, and the operator hears of the others', async () => {
    const { order, buyer, supplier, step, runJobs, found, proven, told } = await suppliedShop({
      operatorChats: OPERATOR,
    })
    supplier.behaviour.delivers = 4
    const { orderNo } = await order(buyer, { ipCount: 3 })
    await step()
    await runJobs()
    expect((await found(orderNo)).instances).toHaveLength(3)
    expect(await told()).toContain(`supplier_extra ${orderNo}`)
    await proven(988)
  })

  it('that costs more than was said keeps its cost, and the offer is paused', async () => {
    const { order, buyer, supplier, step, runJobs, offer, proven, told, db } = await suppliedShop({
      operatorChats: OPERATOR,
    })
    supplier.behaviour.charges = 2.03
    const { orderNo } = await order(buyer, { ipCount: 2 })
    await step()
    await runJobs()
    expect((await db.read.staticOrder.findFirstOrThrow()).cost).toBe(4_060_000n)
    expect(await offer()).toMatchObject({ paused: true })
    expect(await told()).toContain(`supplier_price_changed ${orderNo}`)
    await refused(order(buyer), 'out_of_stock')
    await proven(992)
  })

  it('that ends more than 12 hours too early is told to the operator', async () => {
    const { order, buyer, supplier, step, told } = await suppliedShop({ operatorChats: OPERATOR })
    supplier.behaviour.expireTime = '2026-03-31T23:59:59.000Z'
    const { orderNo } = await order(buyer)
    await step()
    expect(await told()).toContain(`supplier_short_term ${orderNo}`)
    supplier.behaviour.expireTime = '2026-04-01T00:00:00.000Z'
    const second = await order(buyer)
    await step()
    expect(await told()).not.toContain(`supplier_short_term ${second.orderNo}`)
  })
})

describe('a request whose answer is lost', () => {
  it('is looked up, and not sent again', async () => {
    const { order, buyer, supplier, step, call, clock, runJobs, found, proven, placed } = await suppliedShop()
    supplier.meets('place', 'answer_lost')
    const { orderNo } = await order(buyer, { ipCount: 2 })
    expect(await step()).toEqual(['fault'])
    expect(await call(orderNo)).toMatchObject({ state: 'sent', attempts: 1 })
    clock.advance(2 * SECOND)
    expect(await step()).toEqual(['settled'])
    await runJobs()
    expect((await found(orderNo)).status).toBe('active')
    expect([placed().length, supplier.orders.size]).toEqual([1, 1])
    await proven(992)
  })

  it('and that the supplier has never had is placed again after it said so twice, a minute apart', async () => {
    const { order, buyer, supplier, step, call, clock, runJobs, found, proven, placed } = await suppliedShop()
    supplier.meets('place', 'request_lost')
    const { orderNo } = await order(buyer)
    await step()
    clock.advance(2 * SECOND)
    expect(await step()).toEqual(['absent'])
    clock.advance(MINUTE - 1)
    expect(await step()).toEqual([])
    expect(placed()).toHaveLength(1)
    clock.advance(1)
    expect(await step()).toEqual(['settled'])
    expect(placed()).toEqual([`place ${orderNo}`, `place ${orderNo}`])
    expect(await call(orderNo)).toMatchObject({ state: 'settled', attempts: 2 })
    await runJobs()
    expect((await found(orderNo)).status).toBe('active')
    await proven(996)
  })

  it.each(['arrived late', 'never arrived'])(
    'and whose repetition is refused is refused only if the first one %s',
    async (fate) => {
      const { order, buyer, supplier, step, clock, runJobs, found, proven } = await suppliedShop()
      supplier.behaviour.immediate = false
      supplier.meets('place', 'request_lost')
      const { orderNo } = await order(buyer)
      await step()
      clock.advance(2 * SECOND)
      expect(await step()).toEqual(['absent'])
      clock.advance(MINUTE)
      supplier.behaviour.refuses = 'insufficient_balance'
      supplier.afterNextFind(() => {
        if (fate === 'arrived late') supplier.receive(orderNo)
      })
      expect(await step()).toEqual([fate === 'arrived late' ? 'accepted' : 'refused'])
      if (fate === 'arrived late') {
        supplier.finish(orderNo)
        clock.advance(MINUTE)
        expect(await step()).toEqual(['settled'])
      }
      await runJobs()
      const isActive = fate === 'arrived late'
      expect((await found(orderNo)).status).toBe(isActive ? 'active' : 'failed')
      await proven(isActive ? 996 : 1000)
    },
  )

  it('and that was declined by a code is looked up twice, and its money is back: nothing of the offer is sold meanwhile', async () => {
    const shop = await suppliedShop()
    const { order, buyer, supplier, step, call, offer, clock, runJobs, found, account, proven, placed } = shop
    supplier.meets('place', 'declined')
    const { orderNo } = await order(buyer)
    expect(await step()).toEqual(['open'])
    expect((await account()).syncDueAt).toEqual(clock.now())
    expect((await offer()).stock).toBe(0)
    await refused(order(buyer), 'out_of_stock', { available: 0 })
    clock.advance(2 * SECOND)
    expect(await step()).toEqual(['absent'])
    clock.advance(10 * SECOND - 1)
    expect(await step()).toEqual([])
    clock.advance(1)
    expect(await step()).toEqual(['refused'])
    await runJobs()
    expect(placed()).toEqual([`place ${orderNo}`])
    expect(await call(orderNo)).toMatchObject({ reason: 'instance/open: code 500: "busy"', attempts: 1 })
    expect(await found(orderNo)).toMatchObject({ status: 'failed', refundedAmount: 4_000_000 })
    await proven(1000)
  })

  it('and that was declined and carried out all the same is delivered', async () => {
    const { order, buyer, supplier, step, clock, runJobs, found, proven } = await suppliedShop()
    supplier.meets('place', 'declined_but_done')
    const { orderNo } = await order(buyer)
    expect(await step()).toEqual(['open'])
    clock.advance(2 * SECOND)
    expect(await step()).toEqual(['settled'])
    await runJobs()
    expect((await found(orderNo)).status).toBe('active')
    await proven(996)
  })

  it('by a renewal is declined and refunded in the same way', async () => {
    const { order, buyer, supplier, step, clock, runJobs, core, balance, audited } = await suppliedShop()
    const { orderNo } = await order(buyer)
    await step()
    await runJobs()
    const { renewOrderNo } = await core.orders.renewStatic(buyer, { order: { orderNo } })
    supplier.meets('place', 'declined')
    for (const seconds of [0, 2, 10]) {
      clock.advance(seconds * SECOND)
      await step()
    }
    await runJobs()
    expect(await core.orders.getRenewal(buyer, renewOrderNo)).toMatchObject({
      status: 'failed',
      refundedAmount: 4_000_000,
    })
    expect(await balance(buyer)).toBe(996)
    await audited()
  })

  it('is refused after half an hour in which it never arrived', async () => {
    const { order, buyer, supplier, step, clock, runJobs, found, proven } = await suppliedShop()
    const { orderNo } = await order(buyer)
    const seen = new Set<string>()
    for (let minute = 0; minute < 40; minute += 1) {
      supplier.meets('place', 'request_lost')
      for (const outcome of await step()) seen.add(outcome)
      clock.advance(MINUTE)
    }
    expect(seen).toEqual(new Set(['fault', 'absent', 'refused']))
    await runJobs()
    expect((await found(orderNo)).status).toBe('failed')
    expect(supplier.orders.size).toBe(0)
    await proven(1000)
  })

  it('waits in doubt for a supplier that finds nothing by number, until the operator has looked', async () => {
    const supplier = testSupplier([{ offerNo: 'LA' }], { capabilities: { findsByNumber: false } })
    const shop = await suppliedShop({ supplier, operatorChats: OPERATOR })
    const { order, buyer, step, call, clock, runJobs, found, proven, told, core, placed } = shop
    supplier.meets('place', 'request_lost', 'request_lost')
    const first = await order(buyer)
    const second = await order(buyer)
    await step()
    clock.advance(2 * SECOND)
    expect(await step()).toEqual(['in_doubt', 'in_doubt'])
    // The two were sent side by side.
    expect((await told()).toSorted()).toEqual(
      [`supplier_in_doubt ${first.orderNo}`, `supplier_in_doubt ${second.orderNo}`].toSorted(),
    )
    clock.advance(60 * MINUTE)
    expect(await step()).toEqual(['absent', 'absent'])
    expect((await call(first.orderNo)).state).toBe('in_doubt')
    expect(placed()).toHaveLength(2)

    await expect(core.supply.resolve('S1', { absent: true })).rejects.toMatchObject({
      code: 'validation_error',
    })
    await core.supply.resolve(first.orderNo, { absent: true })
    await expect(core.supply.resolve(first.orderNo, { absent: true })).rejects.toMatchObject({
      code: 'validation_error',
    })
    // Somebody ordered by hand what was asked for.
    supplier.orders.set('by hand', {
      providerOrderNo: 'P77',
      request: {
        kind: 'open',
        callNo: 'by hand',
        offerNo: 'LA',
        data: {},
        count: 1,
        periods: 1,
        periodUnit: 3,
        periodLength: 1,
        proxyType: 103,
        countryCode: 'US',
        cityCode: '',
        projectId: null,
        cidrBlocks: [],
        ceiling: '4',
      },
      done: false,
      instances: [],
      amount: 0,
    })
    supplier.finish('by hand')
    await core.supply.resolve(second.orderNo, { found: 'P77' })
    expect(await step()).toEqual(['settled'])
    await runJobs()
    expect([(await found(first.orderNo)).status, (await found(second.orderNo)).status]).toEqual([
      'failed',
      'active',
    ])
    await proven(996)
  })

  it('is told to the operator, once, when the supplier has worked on it for half an hour', async () => {
    const { order, buyer, supplier, step, call, clock, told } = await suppliedShop({
      operatorChats: OPERATOR,
    })
    supplier.behaviour.immediate = false
    const { orderNo } = await order(buyer)
    await step()
    for (let minute = 0; minute < 29; minute += 1) {
      clock.advance(MINUTE)
      await step()
    }
    expect(await told()).toEqual([])
    for (let minute = 0; minute < 5; minute += 1) {
      clock.advance(MINUTE)
      expect(await step()).toEqual(['open'])
    }
    expect(await told()).toEqual([`supplier_slow ${orderNo}`])
    expect((await call(orderNo)).state).toBe('accepted')
  })

  it('is in doubt after half an hour without an answer, and is settled when the supplier is back', async () => {
    const { order, buyer, supplier, step, call, clock, runJobs, found, proven, told, db, placed } =
      await suppliedShop({ operatorChats: OPERATOR })
    supplier.meets('place', 'answer_lost')
    const { orderNo } = await order(buyer)
    await step()
    for (let minute = 0; minute < 35; minute += 1) {
      supplier.meets('find', 'request_lost')
      await step()
      clock.advance(MINUTE)
    }
    expect((await call(orderNo)).state).toBe('in_doubt')
    expect(await told()).toContain(`supplier_in_doubt ${orderNo}`)
    expect(await db.read.notice.count({ where: { kind: 'supplier_in_doubt' } })).toBe(1)
    clock.advance(10 * MINUTE)
    for (let round = 0; round < 40 && (await call(orderNo)).state === 'in_doubt'; round += 1) {
      await step()
      clock.advance(10 * MINUTE)
    }
    await runJobs()
    expect((await found(orderNo)).status).toBe('active')
    expect(placed()).toHaveLength(1)
    await proven(996)
  })
})

describe('a request that was never sent', () => {
  it.each(['not_sent', 'wrong_credentials', 'too_many_requests'] as const)(
    'waits and is sent later: %s',
    async (trouble) => {
      const { order, buyer, supplier, step, call, clock, proven, account } = await suppliedShop()
      supplier.meets('place', trouble)
      const { orderNo } = await order(buyer)
      expect(await step()).toEqual(['fault'])
      expect(await call(orderNo)).toMatchObject({ state: 'intended', sentAt: null })
      expect((await account()).faults).toBe(trouble === 'too_many_requests' ? 0 : 1)
      clock.advance(MINUTE)
      expect(await step()).toEqual(['settled'])
      expect((await account()).faults).toBe(0)
      await proven(996)
    },
  )

  it('waits while the operator has paused the connection, and what was sent is looked up', async () => {
    const { order, buyer, supplier, step, clock, db, connectionId, core } = await suppliedShop()
    supplier.behaviour.immediate = false
    await order(buyer)
    await step()
    await order(buyer)
    await db.write((tx) =>
      tx.supplierConnection.update({ where: { id: connectionId }, data: { status: 'paused' } }),
    )
    clock.advance(MINUTE)
    expect((await step()).toSorted()).toEqual(['open', 'skipped'])
    expect(await core.supply.due({ connectionId, paused: true, limit: 9 })).toEqual([])
    await refused(order(buyer), 'out_of_stock')
  })

  it('can be declared absent by the operator, and is never sent then', async () => {
    const { order, buyer, step, core, placed, runJobs, proven } = await suppliedShop()
    const { orderNo } = await order(buyer)
    await core.supply.resolve(orderNo, { absent: true })
    expect(await step()).toEqual([])
    await runJobs()
    expect(placed()).toEqual([])
    await proven(1000)
  })
})

describe('a driver that fails or hangs', () => {
  it('counts as one that may have sent', async () => {
    const { order, buyer, supplier, step, call, core, connectionId } = await suppliedShop()
    supplier.meets('place', 'driver_breaks')
    const broken = await order(buyer)
    await step()
    expect((await call(broken.orderNo)).state).toBe('sent')
    supplier.meets('place', 'hangs')
    const hanging = await order(buyer)
    const closing = new AbortController()
    const [due] = await core.supply.due({ connectionId, limit: 1 })
    if (!due) throw new Error('nothing is due')
    const step2 = core.supply.advance(due, closing.signal)
    await vi.waitUntil(() => supplier.busy > 0, PATIENCE)
    closing.abort()
    expect((await step2).outcome).toBe('fault')
    expect((await call(hanging.orderNo)).state).toBe('sent')
  })

  it('is left alone after five faults, longer each time, and tried with one request', async () => {
    const { order, buyer, supplier, step, clock, core, account, connectionId } = await suppliedShop()
    const lane = async () => (await core.supply.lanes())[0]
    for (let count = 0; count < 6; count += 1) await order(buyer)
    supplier.meets('place', ...Array.from({ length: 8 }, () => 'not_sent' as const))
    await step()
    expect(await account()).toMatchObject({ faults: 5 })
    expect(await lane()).toMatchObject({ slots: 0, syncDue: false })
    await refused(order(buyer), 'out_of_stock')
    clock.advance(30 * SECOND)
    expect(await lane()).toMatchObject({ slots: 1, callsDue: true })
    const [due] = await core.supply.due({ connectionId, limit: 1 })
    await core.supply.advance(due ?? { id: 0 })
    expect(await account()).toMatchObject({
      faults: 6,
      pausedUntil: new Date(clock.now().getTime() + MINUTE),
    })
    clock.advance(10 * MINUTE)
    supplier.meets('find')
    for (let round = 0; round < 3; round += 1) {
      await step()
      clock.advance(10 * MINUTE)
    }
    expect(await account()).toMatchObject({ faults: 0, pausedUntil: null })
    expect(await lane()).toMatchObject({ slots: 4 })
  })
})

describe('stock, balance and prices of the mirror', () => {
  it('50 parallel orders for 10 proxies sell 10', async () => {
    const { order, buyer, step, runJobs, proven, supplier } = await suppliedShop({
      offers: [{ offerNo: 'LA', stock: 10 }],
    })
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => order(buyer)))
    expect(tally(results)).toEqual({ ok: 10, out_of_stock: 40 })
    await step()
    await runJobs()
    expect(supplier.orders.size).toBe(10)
    await proven(960)
  })

  it('does not sell more than the account at the supplier pays for', async () => {
    const supplier = testSupplier([{ offerNo: 'LA' }], { balance: 5 })
    const { order, buyer, proven } = await suppliedShop({ supplier })
    await refused(order(buyer, { ipCount: 3 }), 'out_of_stock', { available: 2 })
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => order(buyer)))
    expect(tally(results)).toEqual({ ok: 2, out_of_stock: 3 })
    await proven(992)
  })

  it('does not sell what was not seen for 15 minutes', async () => {
    const { order, buyer, clock, core, connectionId } = await suppliedShop()
    clock.advance(15 * MINUTE)
    await order(buyer)
    clock.advance(1)
    await refused(order(buyer), 'out_of_stock')
    await core.supply.sync(connectionId)
    await order(buyer)
  })

  it('a sync leaves claimed what the supplier may not have counted, and empties what is gone', async () => {
    const { order, buyer, supplier, clock, core, connectionId, offer, account, step } = await suppliedShop({
      offers: [{ offerNo: 'LA' }, { offerNo: 'NY', countryCode: 'DE' }],
    })
    await order(buyer, { ipCount: 4, countryCode: 'US' })
    clock.advance(MINUTE)
    supplier.offers = supplier.offers.filter(({ offerNo }) => offerNo === 'LA')
    expect(await core.supply.sync(connectionId)).toEqual({ offers: 1, gone: 1 })
    expect([(await offer('LA')).stock, (await offer('NY')).stock]).toEqual([96, 0])
    expect((await account()).balance).toBe(992_000_000n)
    supplier.behaviour.immediate = false
    await step()
    clock.advance(MINUTE)
    await core.supply.sync(connectionId)
    expect((await offer('LA')).stock).toBe(100)
  })

  it('a sync that fails leaves the mirror, and is due again', async () => {
    const { supplier, clock, core, connectionId, offer, account } = await suppliedShop()
    supplier.meets('read', 'not_sent')
    expect(await core.supply.sync(connectionId)).toBeUndefined()
    expect((await offer()).stock).toBe(100)
    expect(await account()).toMatchObject({
      faults: 1,
      lastError: 'connection refused',
      syncDueAt: new Date(clock.now().getTime() + MINUTE),
    })
  })
})
