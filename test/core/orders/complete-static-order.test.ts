import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { Delivery } from '../../../src/core/supply/supplier.ts'
import { logInAt } from '../../support/log-in-at.ts'
import { delivers, type ScriptedSupplier, scriptedSupplier } from '../../support/scripted-supplier.ts'
import { openService } from '../../support/service.ts'

const MINUTE = 60_000
const nothing: Delivery = { status: 'delivered', proxies: [], reason: 'sold out' }

/** A shop whose one product, 2 a piece and month, comes from a scripted supplier. */
async function shop(supplier: ScriptedSupplier) {
  const service = await openService({ suppliers: { scripted: supplier } })
  const buyer = await service.agent({ balance: 100 })
  await service.product('static', { price: 2, supplier: 'scripted' })
  await service.core.catalog.query(buyer)
  await service.db.write((tx) => tx.location.create({ data: { productId: 1, countryCode: 'US' } }))
  const found = async (orderNo: string) => service.core.orders.getStatic(buyer, { orderNo })
  return { ...service, buyer, found }
}

describe('a delivery', () => {
  it('of everything makes the order active, with one instance for each proxy until the end of the term', async () => {
    const { order, buyer, runJobs, found, balance, audited, db } = await shop(
      scriptedSupplier(delivers(3, { providerOrderNo: 'P-1' })),
    )
    const { orderNo } = await order(buyer, { ipCount: 3, duration: 30, unit: 1, cycleTimes: 2 })
    await runJobs()
    const done = await found(orderNo)
    expect(done).toMatchObject({
      status: 'active',
      successCount: 3,
      refundedAmount: 0,
      failReason: null,
      providerOrderNo: 'P-1',
      expireTime: '2026-05-01T12:00:00.000Z',
    })
    expect(done.instances).toHaveLength(3)
    expect(done.instances[0]).toMatchObject({
      providerInstanceNo: `${orderNo}-0`,
      status: 'active',
      openedAt: '2026-03-01T12:00:00.000Z',
      expireTime: '2026-05-01T12:00:00.000Z',
    })
    expect(await balance(buyer)).toBe(88)
    expect(await db.read.job.count()).toBe(0)
    await audited()
  })

  it('of a part refunds exactly the rest', async () => {
    const supplier = scriptedSupplier(delivers(2, { reason: 'one is missing' }))
    const { order, buyer, runJobs, found, balance, entries, audited } = await shop(supplier)
    const { orderNo } = await order(buyer, { ipCount: 3, cycleTimes: 2 })
    expect(await balance(buyer)).toBe(88)
    await runJobs()
    expect(await found(orderNo)).toMatchObject({
      status: 'partial',
      successCount: 2,
      refundedAmount: 4_000_000,
      failReason: 'one is missing',
    })
    expect(await balance(buyer)).toBe(92)
    expect((await entries(buyer)).at(-1)).toMatchObject({
      type: 'refund',
      amount: 4_000_000,
      orderNo,
      operatorId: null,
    })
    expect(supplier.undelivered).toEqual([orderNo])
    await audited()
  })

  it('of nothing refunds everything', async () => {
    const supplier = scriptedSupplier(nothing)
    const { order, buyer, runJobs, found, balance, audited } = await shop(supplier)
    const { orderNo } = await order(buyer, { ipCount: 3 })
    await runJobs()
    expect(await found(orderNo)).toMatchObject({
      status: 'failed',
      successCount: 0,
      refundedAmount: 6_000_000,
      failReason: 'sold out',
      expireTime: null,
      instances: [],
    })
    expect(await balance(buyer)).toBe(100)
    expect(supplier.undelivered).toEqual([orderNo])
    await audited()
  })

  it('of more than was ordered gives what was ordered', async () => {
    const { order, buyer, runJobs, found, audited } = await shop(scriptedSupplier(delivers(5)))
    const { orderNo } = await order(buyer, { ipCount: 2 })
    await runJobs()
    expect((await found(orderNo)).instances).toHaveLength(2)
    await audited()
  })

  it('of a free order refunds nothing, and says so', async () => {
    const { order, buyer, runJobs, found, core, audited } = await shop(scriptedSupplier(nothing))
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 0 })
    const { orderNo } = await order(buyer)
    await runJobs()
    expect(await found(orderNo)).toMatchObject({ status: 'failed', refundedAmount: 0 })
    await audited()
  })

  it('that a sub-user gets is refunded to the sub-user, who paid', async () => {
    const { order, buyer, customer, runJobs, balance, audited } = await shop(scriptedSupplier(nothing))
    const user = await customer(buyer, { balance: 10 })
    await order(buyer, { userId: user.id })
    expect(await balance(user)).toBe(8)
    await runJobs()
    expect([await balance(buyer), await balance(user)]).toEqual([100, 10])
    await audited()
  })
})

describe('a supplier', () => {
  it('that does not know yet is asked again when it said', async () => {
    const supplier = scriptedSupplier({ status: 'pending', retryAfterMs: 5 * MINUTE }, delivers(1))
    const { order, buyer, runJobs, found, clock, audited } = await shop(supplier)
    const { orderNo } = await order(buyer)
    await runJobs()
    clock.advance(5 * MINUTE - 1)
    await runJobs()
    expect(supplier.asked).toHaveLength(1)
    expect((await found(orderNo)).status).toBe('processing')
    await audited()

    clock.advance(1)
    await runJobs()
    expect(supplier.asked).toEqual([orderNo, orderNo])
    // The term starts with the delivery.
    expect(await found(orderNo)).toMatchObject({ status: 'active', expireTime: '2026-04-01T12:05:00.000Z' })
    await audited()
  })

  it('that cannot be reached changes nothing: the order keeps waiting, and so does the money', async () => {
    const { order, buyer, core, clock, found, balance, audited } = await shop(
      scriptedSupplier(new Error('timeout'), delivers(1)),
    )
    const { orderNo } = await order(buyer)
    const [job] = await core.jobs.queue.claim(1, MINUTE)
    if (!job) throw new Error('there is no job')
    await expect(core.jobs.handleOrder(job)).rejects.toThrow('timeout')
    expect([(await found(orderNo)).status, await balance(buyer)]).toEqual(['processing', 98])
    await audited()

    clock.advance(MINUTE)
    const [again] = await core.jobs.queue.claim(1, MINUTE)
    expect(again).toEqual({ ...job, attempts: 2 })
    if (again) await core.jobs.handleOrder(again)
    expect((await found(orderNo)).status).toBe('active')
    await audited()
  })
})

describe('completion', () => {
  it('is repeated without harm after a crash between delivery and commit', async () => {
    const supplier = scriptedSupplier(delivers(2))
    const { order, buyer, core, restarted, clock, found, balance, audited } = await shop(supplier)
    const { orderNo } = await order(buyer, { ipCount: 3 })
    const orderId = (await found(orderNo)).id
    await core.jobs.queue.claim(1, MINUTE)
    await supplier.deliver({ orderId, orderNo, productNo: 'static', ipCount: 3 })
    // Here the process dies. The next one finds the job under the lease of the dead.
    const next = restarted()
    expect(await next.jobs.queue.claim(1, MINUTE)).toEqual([])
    clock.advance(MINUTE)
    for (const job of await next.jobs.queue.claim(1, MINUTE)) await next.jobs.handleOrder(job)
    expect(await found(orderNo)).toMatchObject({ status: 'partial', successCount: 2 })
    expect(await balance(buyer)).toBe(96)
    await audited()
  })

  it('happens once when two runners have the same job', async () => {
    const { order, buyer, core, restarted, found, entries, db, audited } = await shop(
      scriptedSupplier(delivers(1)),
    )
    await core.chats.session(7, 'en')
    await logInAt(db, 7, buyer.id)
    const { orderNo } = await order(buyer, { ipCount: 2 })
    const [job] = await core.jobs.queue.claim(1, MINUTE)
    if (!job) throw new Error('there is no job')
    const other = restarted()
    await Promise.all([core, other, core, other].map((runner) => runner.jobs.handleOrder(job)))
    expect((await found(orderNo)).instances).toHaveLength(1)
    expect((await entries(buyer)).map(({ type }) => type)).toEqual(['adjust', 'consumption', 'refund'])
    expect(await db.read.notice.count()).toBe(1)
    await audited()

    await core.jobs.handleOrder(job)
    expect((await entries(buyer)).map(({ type }) => type)).toEqual(['adjust', 'consumption', 'refund'])
    await audited()
  })

  it('goes on for the others when a supplier delivers for one what another has already', async () => {
    const supplier = scriptedSupplier(delivers(1))
    const { order, buyer, core, found, audited } = await shop(supplier)
    const { orderNo: first } = await order(buyer)
    for (const job of await core.jobs.queue.claim(1, MINUTE)) await core.jobs.handleOrder(job)
    const [taken] = (await found(first)).instances
    if (!taken) throw new Error('nothing was delivered')

    const accepted = [await order(buyer), await order(buyer), await order(buyer)].map(
      ({ orderNo }) => orderNo,
    )
    const all = delivers(1)
    supplier.answers = [
      (wanted) =>
        wanted.orderNo === accepted[1] ? { status: 'delivered', proxies: [{ ...taken }] } : all(wanted),
    ]
    const jobs = await core.jobs.queue.claim(3, MINUTE)
    const results = await Promise.allSettled(jobs.map((job) => core.jobs.handleOrder(job)))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    const statuses = await Promise.all(accepted.map(async (orderNo) => (await found(orderNo)).status))
    expect(statuses).toEqual(['active', 'processing', 'active'])
    await audited()
  })

  it('is shared out by two runners, no order to both', async () => {
    const { order, buyer, core, restarted } = await shop(scriptedSupplier(delivers(1)))
    for (let count = 0; count < 20; count += 1) await order(buyer)
    const other = restarted()
    const claims = await Promise.all(
      [core, other, core, other].map((runner) => runner.jobs.queue.claim(8, MINUTE)),
    )
    const orders = claims.flat().map(({ subject }) => subject)
    expect([orders.length, new Set(orders).size]).toEqual([20, 20])
  })

  it('tells the chats of the user and of the agent who ordered, once each', async () => {
    const { order, buyer, customer, core, runJobs, db } = await shop(scriptedSupplier(delivers(1)))
    const user = await customer(buyer, { balance: 10 })
    for (const [chat, account] of [
      [1, buyer],
      [2, buyer],
      [3, user],
    ] as const) {
      await core.chats.session(chat, 'en')
      await logInAt(db, chat, account.id)
    }
    const { orderNo } = await order(buyer, { userId: user.id })
    await runJobs()
    const notices = await db.read.notice.findMany({ orderBy: { chatId: 'asc' } })
    expect(
      notices.map(({ chatId, kind, subject, status }) => [Number(chatId), kind, subject, status]),
    ).toEqual([1, 2, 3].map((chat) => [chat, 'order_ready', orderNo, 'sent']))
    expect(await db.read.job.count()).toBe(0)
  })
})

describe('the own stock', () => {
  it('gives back what it cannot deliver, and keeps withdrawn proxies off sale', async () => {
    const service = await openService()
    const buyer = await service.agent({ balance: 100 })
    await service.product()
    const [withdrawn] = await service.stock('static', 3)
    const { orderNo } = await service.order(buyer, { ipCount: 3 })
    await service.db.write((tx) =>
      tx.stockIp.updateMany({ where: { ip: withdrawn ?? '' }, data: { disabled: true } }),
    )
    await service.runJobs()
    expect(await service.core.orders.getStatic(buyer, { orderNo })).toMatchObject({
      status: 'partial',
      successCount: 2,
      failReason: '1 proxies were withdrawn from the stock',
    })
    expect(await service.balance(buyer)).toBe(98)
    expect(
      await service.db.read.stockIp.findMany({
        where: { orderId: null },
        select: { ip: true, disabled: true },
      }),
    ).toEqual([{ ip: withdrawn, disabled: true }])
    await service.audited()
  })
})
