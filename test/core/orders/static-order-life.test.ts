import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { delivers, scriptedSupplier } from '../../support/scripted-supplier.ts'
import { openService, refused, tally } from '../../support/service.ts'
import { booksBalance } from './static-order-life-in-any-order.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A buyer with 100 and a product at 1 from a scripted supplier. */
async function outside(...answers: Parameters<typeof scriptedSupplier>) {
  const supplier = scriptedSupplier(...answers)
  const service = await openService({ suppliers: { scripted: supplier } })
  const buyer = await service.agent({ balance: 100 })
  await service.product('static', { supplier: 'scripted' })
  await service.db.write((tx) => tx.location.create({ data: { productId: 1, countryCode: 'US' } }))
  const found = (orderNo: string) => service.core.orders.getStatic(buyer, { orderNo })
  return { ...service, supplier, buyer, found }
}

describe('the supplier', () => {
  it('gets back what has expired when the grace is over, once', async () => {
    const { order, buyer, supplier, runJobs, clock, audited } = await outside(delivers(2))
    const { orderNo } = await order(buyer, { ipCount: 2 })
    await runJobs()
    clock.set('2026-04-02T11:59:59.999Z')
    await runJobs()
    expect(supplier.returned).toEqual([])
    clock.advance(1)
    for (let round = 0; round < 3; round += 1) await runJobs()
    expect(supplier.returned).toEqual([`${orderNo}-0`, `${orderNo}-1`])
    await audited()
  })

  it.each(['cancelled', 'expired', 'renewed'])(
    'delivers again what is %s already, in whatever order its answers come: nothing moves',
    async (state) => {
      const { order, buyer, supplier, core, runJobs, clock, found, balance, audited } = await outside(
        { status: 'pending', retryAfterMs: 0 },
        delivers(2),
        delivers(3),
        { status: 'delivered', proxies: [] },
      )
      const { orderNo } = await order(buyer, { ipCount: 2 })
      const [job] = await core.jobs.queue.claim(1, 0)
      if (!job) throw new Error('there is no job')
      await core.jobs.handleOrder(job)
      await core.jobs.handleOrder(job)
      if (state === 'cancelled') await core.orders.cancelStatic(buyer, { orderNo })
      if (state === 'renewed') await core.orders.renewStatic(buyer, { order: { orderNo } })
      if (state === 'expired') clock.advance(32 * DAY)
      await runJobs()
      const before = [await found(orderNo), await balance(buyer)]
      for (let round = 0; round < 3; round += 1) await core.jobs.handleOrder(job)
      await runJobs()
      expect([await found(orderNo), await balance(buyer)]).toEqual(before)
      expect(supplier.asked).toHaveLength(2)
      await audited()
    },
  )

  it('that hands over while the order is being cancelled finds it, and the cancellation waits', async () => {
    const { order, buyer, core, runJobs, found, balance, audited } = await outside(delivers(2))
    const { orderNo } = await order(buyer, { ipCount: 2 })
    const [job] = await core.jobs.queue.claim(1, MINUTE)
    if (!job) throw new Error('there is no job')
    const results = await Promise.allSettled([
      core.orders.cancelStatic(buyer, { orderNo }),
      core.jobs.handleOrder(job),
      core.orders.cancelStatic(buyer, { orderNo }),
    ])
    expect(tally(results)).toMatchObject({ order_processing: 2 })
    expect((await found(orderNo)).status).toBe('active')
    await core.orders.cancelStatic(buyer, { orderNo })
    await runJobs()
    expect(await balance(buyer)).toBe(100)
    await audited()
  })
})

describe('the own stock', () => {
  it('sells an address again after the grace, and never before', async () => {
    const service = await openService()
    const [first, second] = [await service.agent({ balance: 10 }), await service.agent({ balance: 10 })]
    await service.product()
    const [ip] = await service.stock('static', 1)
    const { orderNo } = await service.order(first)
    await service.runJobs()
    service.clock.set('2026-04-02T11:59:59.000Z')
    await service.runJobs()
    expect((await service.core.orders.getStatic(first, { orderNo })).status).toBe('expired')
    await refused(service.order(second), 'out_of_stock')
    service.clock.advance(1000)
    await service.runJobs()
    await service.core.operator.updateStock(SHELL, `ip,port,username,password\n${ip},8000,u0,other`)
    const { orderNo: sold } = await service.order(second)
    await service.runJobs()
    expect((await service.core.orders.getStatic(second, { orderNo: sold })).instances).toMatchObject([{ ip }])
    await refused(service.core.orders.renewStatic(first, { order: { orderNo } }), 'invalid_state')
    await service.audited()
  })
})

describe('the clock', () => {
  it.each([
    ['forward by a day', DAY, 'active'],
    ['backward by an hour', -HOUR, 'active'],
    ['backward by a year', -365 * DAY, 'active'],
    ['forward by 400 days', 400 * DAY, 'expired'],
  ] as const)('may jump %s', async (_, jump, status) => {
    const service = await openService()
    const buyer = await service.agent({ balance: 100 })
    await service.product()
    await service.stock('static', 9)
    const { orderNo } = await service.order(buyer, { ipCount: 2 })
    await service.runJobs()
    await service.core.orders.setAutoRenew(buyer, { orderNo, autoRenew: true })
    service.clock.advance(jump)
    for (let round = 0; round < 3; round += 1) await service.runJobs()
    expect((await service.core.orders.getStatic(buyer, { orderNo })).status).toBe(status)
    expect(await service.balance(buyer)).toBe(98)
    const { orderNo: next } = await service.order(buyer)
    await service.runJobs()
    service.clock.advance(-jump)
    for (let round = 0; round < 3; round += 1) await service.runJobs()
    expect(next).not.toBe(orderNo)
    expect(await service.balance(buyer)).toBe(97)
    await service.audited()
  })
})

describe('whatever happens to orders, in whatever order, with whatever clock', () => {
  it('the books balance, refunds never exceed charges, and no address is used twice', () =>
    fc.assert(booksBalance, { numRuns: 4 }))
})
