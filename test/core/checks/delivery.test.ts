import { describe, expect, it, vi } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { StaticOrderInput } from '../../../src/core/orders/static-order-input.ts'
import { PATIENCE } from '../../support/patience.ts'
import { scriptedProber } from '../../support/scripted-prober.ts'
import { openService } from '../../support/service.ts'
import { suppliedShop } from '../../support/supplied-shop.ts'
import { testSupplier } from '../../support/test-supplier.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** An agent with 1000, a product at 1 with proxies in New York and in Los Angeles, and checks that are switched on. */
async function shop({ stock = 3, regular = true } = {}) {
  const prober = scriptedProber()
  const service = await openService({ checks: { prober: () => prober, regular }, operatorChats: [-100] })
  const { core, db, clock } = service
  const owner = await service.agent({ name: 'owner', balance: 1000 })
  await service.product('static', { cidrSupported: true, assignIpSupported: true })
  await core.operator.editProduct(SHELL, 'static', { replacePolicy: 'auto' })
  const range = { city: 'USNYC', state: 'NY', cidr: '10.0.0.0/24' }
  const ips = await service.stock('static', stock, range)
  await service.stock('static', 3, { city: 'USLAX', state: 'CA' })
  return {
    ...service,
    prober,
    owner,
    ips,
    /** Buys in New York; answers the number. */
    buy: async (ipCount = 1, change: Partial<StaticOrderInput> = {}) =>
      (await service.order(owner, { ipCount, cityCode: 'USNYC', ...change })).orderNo,
    /** What the loop does within some seconds. */
    pass: async (ms: number) => {
      clock.advance(ms)
      await service.runJobs()
    },
    found: (orderNo: string) => core.orders.getStatic(owner, { orderNo }),
    stockRow: (ip: string) => db.read.stockIp.findFirstOrThrow({ where: { ip } }),
    told: (kind: string) => db.read.notice.count({ where: { kind } }),
  }
}

/** The address that is taken next in New York. */
async function firstSold({ db }: Pick<Awaited<ReturnType<typeof shop>>, 'db'>): Promise<string> {
  const where = { location: { cityCode: 'USNYC' }, orderId: null }
  return (await db.read.stockIp.findFirstOrThrow({ where, orderBy: { position: 'asc' } })).ip
}

describe('before an order of the own stock is delivered', () => {
  it('its proxies are checked, and those that work are handed over at once', async () => {
    const { buy, runJobs, found, prober, audited } = await shop()
    const orderNo = await buy(3)
    await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'active', successCount: 3 })
    expect(prober.probed).toHaveLength(3)
    await audited()
  })

  it('nothing is checked where CHECK_PROXIES is off', async () => {
    const { buy, runJobs, found, prober, db } = await shop({ regular: false })
    const orderNo = await buy(3)
    await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'active' })
    expect(prober.probed).toEqual([])
    expect(await db.read.deliveryCheck.count()).toBe(0)
  })

  it('a dead one is exchanged for another of its place, and is not sold again', async () => {
    const { buy, runJobs, pass, found, prober, stockRow, ips, audited, balance, owner, ...service } =
      await shop()
    const dead = await firstSold(service)
    prober.dead.add(dead)
    const orderNo = await buy()
    await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'processing' })
    await pass(5 * SECOND)
    const order = await found(orderNo)
    expect(order).toMatchObject({ status: 'active', successCount: 1, refundedAmount: 0, failReason: null })
    expect(ips.filter((ip) => ip !== dead)).toContain(order.instances[0]?.ip)
    // Twice, and then the one in its place.
    expect(prober.probed).toEqual([dead, dead, order.instances[0]?.ip])
    expect(await stockRow(dead)).toMatchObject({ orderId: null, resting: true, disabled: true })
    expect(await balance(owner)).toBe(999)
    await audited()
  })

  it('a failure that does not repeat itself changes nothing', async () => {
    const { buy, runJobs, pass, found, prober, stockRow, ...service } = await shop()
    const ip = await firstSold(service)
    prober.dead.add(ip)
    const orderNo = await buy()
    await runJobs()
    prober.dead.clear()
    await pass(5 * SECOND)
    expect((await found(orderNo)).instances).toMatchObject([{ ip }])
    expect(await stockRow(ip)).toMatchObject({ resting: false, disabled: false })
  })

  it('what has no other in its place is refunded once, and the customer is told why', async () => {
    const { buy, runJobs, pass, found, prober, ips, audited, balance, owner, entries } = await shop()
    for (const ip of ips) prober.dead.add(ip)
    prober.dead.delete(ips[0] ?? '')
    const orderNo = await buy(2)
    for (let nth = 0; nth < 6; nth += 1) await pass(5 * SECOND)
    expect(await found(orderNo)).toMatchObject({
      status: 'partial',
      successCount: 1,
      refundedAmount: 1_000_000,
      failReason: '1 of the proxies did not work',
      instances: [{ ip: ips[0] }],
    })
    expect(await balance(owner)).toBe(999)
    expect((await entries(owner)).filter(({ type }) => type === 'refund')).toHaveLength(1)
    await runJobs()
    await audited()
  })

  it('an order without a proxy that works fails, and all of it comes back', async () => {
    const { buy, pass, found, prober, ips, audited, balance, owner } = await shop()
    for (const ip of ips) prober.dead.add(ip)
    const orderNo = await buy(2)
    for (let nth = 0; nth < 6; nth += 1) await pass(5 * SECOND)
    expect(await found(orderNo)).toMatchObject({ status: 'failed', refundedAmount: 2_000_000 })
    expect(await balance(owner)).toBe(1000)
    await audited()
  })

  it('no other address or range takes the place of one that the order names', async () => {
    const { buy, runJobs, pass, found, prober, ips, audited } = await shop({ stock: 6 })
    const [named = '', other = ''] = ips
    prober.dead.add(named)
    prober.dead.add(other)
    const byAddress = await buy(1, { assignedIp: named })
    await runJobs()
    await pass(5 * SECOND)
    expect(await found(byAddress)).toMatchObject({ status: 'failed' })
    const byRange = await buy(5, { cidrBlocks: [{ cidr: '10.0.0.0/24', count: 5 }] })
    await runJobs()
    await pass(5 * SECOND)
    expect(await found(byRange)).toMatchObject({ status: 'partial', successCount: 4 })
    await audited()
  })

  it('what other deliveries have seen is known after a restart, too: a dead one is not delivered', async () => {
    const { buy, runJobs, pass, found, prober, ips, ...service } = await shop()
    const first = await firstSold(service)
    await buy()
    await runJobs()
    prober.proven = false
    const dead = await firstSold(service)
    prober.dead.add(dead)
    const orderNo = await buy()
    await runJobs()
    await pass(5 * SECOND)
    expect((await found(orderNo)).instances).toMatchObject([
      { ip: ips.find((ip) => ip !== first && ip !== dead) },
    ])
  })

  it('is delivered as it is while nothing has shown yet that our echo can be reached', async () => {
    const { buy, runJobs, found, prober, ...service } = await shop()
    prober.proven = false
    const dead = await firstSold(service)
    prober.dead.add(dead)
    const orderNo = await buy()
    await runJobs()
    expect((await found(orderNo)).instances).toMatchObject([{ ip: dead }])
  })

  it('is delivered as it is while our own echo fails', async () => {
    const { buy, runJobs, found, prober, stockRow, db } = await shop()
    prober.control = false
    const orderNo = await buy(3)
    await runJobs()
    const { status, instances } = await found(orderNo)
    expect([status, instances.length]).toEqual(['active', 3])
    expect(await stockRow(instances[0]?.ip ?? '')).toMatchObject({ disabled: false })
    expect(await db.read.deliveryCheck.findFirst()).toMatchObject({ skipped: true, failing: 0 })
  })

  it('is delivered as it is while the supplier as a whole fails, and the operator is told once', async () => {
    const { buy, runJobs, pass, found, prober, ips, told, db, audited } = await shop({ stock: 40 })
    for (const ip of ips) prober.dead.add(ip)
    const orders = [await buy(12), await buy(2)]
    await runJobs()
    await pass(5 * SECOND)
    for (const [index, orderNo] of orders.entries())
      expect(await found(orderNo)).toMatchObject({ status: 'active', successCount: [12, 2][index] })
    expect(await told('supplier_incident')).toBe(1)
    expect(await db.read.stockIp.count({ where: { disabled: true } })).toBe(0)
    await audited()
  })

  it('is delivered after three minutes with what is known, whatever hangs', async () => {
    const { buy, runJobs, pass, found, prober, ips, audited } = await shop({ stock: 6 })
    const [dead, ...others] = ips
    prober.dead.add(dead ?? '')
    const probe = prober.probe
    Object.assign(prober, {
      probe: (proxy: Parameters<typeof probe>[0]) =>
        others.slice(1).includes(proxy.ip) ? new Promise(() => {}) : probe(proxy),
    })
    const orderNo = await buy(6)
    await runJobs()
    await pass(5 * SECOND)
    expect(await found(orderNo)).toMatchObject({ status: 'processing' })
    await pass(3 * MINUTE)
    expect(await found(orderNo)).toMatchObject({
      status: 'partial',
      successCount: 5,
      failReason: '1 of the proxies did not work',
    })
    await audited()
  })

  it('waits for no clock that was set back', async () => {
    const { buy, runJobs, clock, found, prober, ...service } = await shop()
    prober.dead.add(await firstSold(service))
    const orderNo = await buy()
    await runJobs()
    clock.advance(-2 * 60 * MINUTE)
    await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'active' })
  })

  it('20 proxies are probed at once, of all orders together, and a small order waits for no large one', async () => {
    const { buy, runJobs, pass, prober, stock, found, db } = await shop()
    await stock('static', 80, { city: 'USNYC', state: 'NY' })
    let running = 0
    let most = 0
    // One ends after the other, so slowly that the orders follow one another closer than that.
    let ended: Promise<unknown> = Promise.resolve()
    const lasts = async (before: Promise<unknown>) => {
      await before
      for (let trip = 0; trip < 3; trip += 1) await db.read.setting.count()
    }
    const { probe } = prober
    prober.probe = async (proxy) => {
      most = Math.max(most, (running += 1))
      await (ended = lasts(ended))
      running -= 1
      return probe(proxy)
    }
    const large = await buy(70)
    const small = await buy()
    await runJobs()
    await vi.waitUntil(() => prober.probed.length === 71, PATIENCE)
    await pass(2 * SECOND)
    expect(most).toBe(20)
    expect(prober.probed).toHaveLength(71)
    const { instances } = await found(small)
    expect(prober.probed.indexOf(instances[0]?.ip ?? '')).toBeLessThan(50)
    expect(await found(large)).toMatchObject({ status: 'active' })
  })
})

describe('a proxy of the own stock that replaces another one', () => {
  async function withProxy(stock = 3) {
    const service = await shop({ stock })
    const orderNo = await service.buy()
    await service.runJobs()
    const [instance] = (await service.found(orderNo)).instances
    const instanceNo = instance?.instanceNo ?? ''
    const replace = (refund = false) =>
      service.core.orders.replaceInstance(service.owner, { instanceNo, reason: 'slow', refund })
    const proxy = () => service.db.read.instance.findUniqueOrThrow({ where: { instanceNo } })
    const wish = () => service.db.read.replacement.findFirstOrThrow()
    return { ...service, orderNo, replace, proxy, wish, old: instance?.ip ?? '' }
  }

  it('is checked before it is handed over; a dead one is passed over', async () => {
    const service = await withProxy()
    const { replace, proxy, wish, prober, ips, old, pass, runJobs, stockRow, audited, core, owner, orderNo } =
      service
    const dead = await firstSold(service)
    const good = ips.find((ip) => ip !== old && ip !== dead)
    prober.dead.add(dead)
    const before = await proxy()
    expect(await replace()).toMatchObject({ status: 'processing', newIp: null })
    await expect(core.orders.cancelStatic(owner, { orderNo })).rejects.toMatchObject({
      code: 'order_processing',
    })
    await runJobs()
    await pass(5 * SECOND)
    await pass(5 * SECOND)
    expect(await wish()).toMatchObject({ status: 'done', newIp: good })
    expect(await proxy()).toMatchObject({ ip: good, expireTime: before.expireTime })
    expect(await stockRow(old)).toMatchObject({ orderId: null, resting: true, disabled: true })
    expect(await stockRow(dead)).toMatchObject({ orderId: null, resting: true, disabled: true })
    await audited()
  })

  it('that somebody buys meanwhile is left to them', async () => {
    const { replace, wish, ips, old, pass, buy, runJobs, prober, core, owner, audited } = await withProxy(3)
    const others = ips.filter((ip) => ip !== old)
    for (const ip of others) prober.dead.add(ip)
    await replace()
    await runJobs()
    prober.dead.clear()
    const [first = ''] = prober.probed.slice(1)
    await core.orders.createStatic(owner, {
      poolId: 'static',
      userId: owner.id,
      ipCount: 1,
      duration: 1,
      unit: 3,
      assignedIp: first,
    })
    await pass(5 * SECOND)
    expect(await wish()).toMatchObject({ status: 'done', newIp: others.find((ip) => ip !== first) })
    await buy(1, { cityCode: 'USLAX' })
    await runJobs()
    await audited()
  })

  it('is not to be had where all others are dead: the wish is declined, or the rest of the term comes back', async () => {
    for (const refund of [false, true]) {
      const { replace, wish, proxy, ips, old, pass, runJobs, prober, told, db, audited } = await withProxy()
      for (const ip of ips) if (ip !== old) prober.dead.add(ip)
      // Its own check has failed once.
      await db.write((tx) => tx.instance.updateMany({ data: { failures: 1 } }))
      await replace(refund)
      await runJobs()
      for (let nth = 0; nth < 3; nth += 1) await pass(5 * SECOND)
      expect(await wish()).toMatchObject({ status: refund ? 'refunded' : 'declined' })
      expect(await proxy()).toMatchObject({ status: refund ? 'released' : 'active', ip: old })
      expect(await told('supplier_incident')).toBe(0)
      await audited()
    }
  })
})

describe('before an order of a supplier is delivered', () => {
  /** The shop of {@link suppliedShop} with checks that are switched on. */
  async function supplied() {
    const prober = scriptedProber()
    const offers = [{ offerNo: 'LA', cityCode: 'USLAX', state: 'CA' }]
    const shop = await suppliedShop({
      supplier: testSupplier(offers),
      checks: { prober: () => prober, regular: true },
    })
    await shop.core.operator.editProduct(SHELL, 'static', { replacePolicy: 'auto' })
    const pass = async (ms: number) => {
      shop.clock.advance(ms)
      await shop.runJobs()
    }
    return { ...shop, prober, pass }
  }

  it('a dead proxy is given back and refunded', async () => {
    const { prober, order, buyer, step, runJobs, pass, found, call, supplier, proven, core } =
      await supplied()
    prober.dead.add('10.77.0.2')
    const { orderNo } = await order(buyer, { ipCount: 3 })
    await step()
    await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'processing' })
    await pass(5 * SECOND)
    const delivered = await found(orderNo)
    expect(delivered).toMatchObject({
      status: 'partial',
      successCount: 2,
      refundedAmount: 4_000_000,
      failReason: '1 of the proxies did not work',
    })
    expect(delivered.instances.map(({ ip }) => ip)).toEqual(['10.77.0.1', '10.77.0.3'])
    expect(await call(`${orderNo}R`)).toMatchObject({ kind: 'release', state: 'intended', count: 1 })
    await step()
    expect(supplier.orders.get(`${orderNo}R`)?.instances).toMatchObject([{ providerInstanceNo: 'N2' }])
    await runJobs()
    await proven(1000 - 8)
    expect(await core.operator.profit(SHELL)).toMatchObject({
      total: { revenue: 12_000_000, refunds: 4_000_000 },
    })
  })

  it('all of them dead: the order fails, and each is given back once', async () => {
    const { prober, order, buyer, step, runJobs, pass, found, supplier, proven } = await supplied()
    for (const ip of ['10.77.0.1', '10.77.0.2']) prober.dead.add(ip)
    const { orderNo } = await order(buyer, { ipCount: 2 })
    await step()
    await runJobs()
    await pass(5 * SECOND)
    expect(await found(orderNo)).toMatchObject({ status: 'failed', instances: [] })
    await step()
    await step()
    expect(supplier.orders.get(`${orderNo}R`)?.instances).toHaveLength(2)
    await proven(1000)
  })

  it('a dead one that replaces another is given back with the old one, and the rest of the term comes back', async () => {
    const { prober, order, buyer, step, runJobs, pass, found, supplier, core, db, audited } = await supplied()
    const { orderNo } = await order(buyer)
    await step()
    await runJobs()
    const [instance] = (await found(orderNo)).instances
    prober.dead.add('10.77.0.2')
    await db.write((tx) => tx.instance.updateMany({ data: { failures: 1 } }))
    const wish = { instanceNo: instance?.instanceNo ?? '', reason: 'dead' }
    const { replacementNo } = await core.orders.replaceInstance(buyer, wish)
    await step()
    await runJobs()
    await pass(5 * SECOND)
    expect(await db.read.replacement.findFirstOrThrow()).toMatchObject({ status: 'refunded', newIp: null })
    expect(await found(orderNo)).toMatchObject({ status: 'cancelled' })
    await step()
    const released = ['R', 'R-2'].flatMap(
      (suffix) => supplier.orders.get(`${replacementNo}${suffix}`)?.instances ?? [],
    )
    expect(released.map(({ ip }) => ip)).toEqual(['10.77.0.1', '10.77.0.2'])
    await audited()
  })
})
