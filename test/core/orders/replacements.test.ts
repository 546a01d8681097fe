import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { Actor } from '../../../src/core/access/actor.ts'
import { scriptedProber } from '../../support/scripted-prober.ts'
import { openService, refused, tally } from '../../support/service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const REASON = 'it does not connect'

/** An agent with delivered proxies of a product at 1 a month, which may be replaced at once. */
async function withProxies({
  count = 1,
  stock = 5,
  edit = {},
}: {
  count?: number
  stock?: number
  edit?: { replacePolicy?: 'auto' | 'ask' | 'never'; replaceLimit?: number }
} = {}) {
  const prober = scriptedProber()
  const service = await openService({
    checks: { prober: () => prober, regular: false },
    operatorChats: [-100],
  })
  const { core, db, clock } = service
  const owner = await service.agent({ name: 'owner', balance: 100 })
  await service.product()
  await core.operator.editProduct(SHELL, 'static', { replacePolicy: 'auto', ...edit })
  const ips = await service.stock('static', stock, { city: 'USNYC', state: 'NY' })
  await service.stock('static', 3, { city: 'USLAX', state: 'CA' })
  const { orderNo } = await service.order(owner, { ipCount: count, cityCode: 'USNYC' })
  await service.runJobs()
  const proxy = (id = 1) => db.read.instance.findUniqueOrThrow({ where: { id } })
  const { instanceNo } = await proxy()
  return {
    ...service,
    prober,
    owner,
    orderNo,
    instanceNo,
    ips,
    proxy,
    replace: (
      change: { reason?: string; refund?: boolean; requestKey?: string } = {},
      actor: Actor = owner,
    ) => core.orders.replaceInstance(actor, { instanceNo, reason: REASON, ...change }),
    quote: (actor: Actor = owner) => core.orders.quoteReplacement(actor, { instanceNo }),
    /** One failed check: enough for money, and not for the verdict. */
    failOnce: async () => {
      prober.dead.add((await proxy()).ip)
      await core.operator.checkProxy(SHELL, { instanceNo })
    },
    /** Lets the checks find the proxy dead. */
    condemn: async (id = 1) => {
      const { ip, instanceNo: number } = await proxy(id)
      prober.dead.add(ip)
      await core.operator.checkProxy(SHELL, { instanceNo: number })
      for (let nth = 0; nth < 2; nth += 1) {
        clock.advance(5 * MINUTE)
        await core.checks.due.run()
      }
      expect((await proxy(id)).verdict).toBe('dead')
    },
    wishes: () => db.read.replacement.findMany({ orderBy: { id: 'asc' } }),
    stockRow: (ip: string) => db.read.stockIp.findFirstOrThrow({ where: { ip } }),
  }
}

describe('money instead of another proxy', () => {
  it('needs a failed check of ours or the operator, and leaves none at the price for many', async () => {
    const { core, owner, order, product, stock, runJobs, prober, balance, db, clock, audited } =
      await withProxies({ count: 1, stock: 1 })
    await product('bulk', { price: 2 })
    await core.operator.setPrice(SHELL, { productNo: 'bulk', price: 1, minQuantity: 5 })
    await core.operator.editProduct(SHELL, 'bulk', { replacePolicy: 'auto' })
    await stock('bulk', 5)
    const { orderNo } = await order(owner, { poolId: 'bulk', ipCount: 5 })
    await runJobs()
    const { instances } = await core.orders.getStatic(owner, { orderNo })
    const before = await balance(owner)
    const replace = (at: number) =>
      core.orders.replaceInstance(owner, {
        instanceNo: instances[at]?.instanceNo ?? '',
        reason: REASON,
        refund: true,
      })
    const quote = { instanceNo: instances[0]?.instanceNo ?? '' }
    expect(await core.orders.quoteReplacement(owner, quote)).toMatchObject({ ground: 'young', way: 'ask' })
    const { replacementNo, status } = await replace(0)
    expect([status, await balance(owner)]).toEqual(['requested', before])
    // Four that stay cost 2 each, which is more than was paid for all five: nothing comes back for the first.
    const decided = await core.operator.replacements.decide(SHELL, { replacementNo, allow: true })
    expect(decided).toMatchObject({ status: 'refunded', refundAmount: 0 })

    for (const at of [1, 2, 3]) {
      prober.dead.add(instances[at]?.ip ?? '')
      await core.operator.checkProxy(SHELL, { instanceNo: instances[at]?.instanceNo ?? '' })
      expect(await replace(at)).toMatchObject({ status: 'refunded' })
    }
    // As a release of four within the window: the fifth costs 2.
    expect(await balance(owner)).toBeLessThanOrEqual(before + 3)
    expect(await balance(owner)).toBeGreaterThan(before + 1.9)
    clock.advance(HOUR)
    expect(await db.read.instance.count({ where: { status: 'active', orderId: 2 } })).toBe(1)
    await audited()
  })
})

describe('a replacement at once', () => {
  it('gives an order no address that it had before', async () => {
    const { replace, quote, core, owner, orderNo, db, audited } = await withProxies({ count: 2, stock: 2 })
    const second = await db.read.instance.findUniqueOrThrow({ where: { id: 2 } })
    await core.orders.cancelStatic(owner, { orderNo, instances: [second.instanceNo] })
    await core.operator.releaseResting(SHELL, { ips: [second.ip] })
    expect(await quote()).toMatchObject({ available: false })
    await refused(replace(), 'out_of_stock')
    await audited()
  })

  it('takes another proxy of the place; the number and the end stay, the old address rests for good', async () => {
    const service = await withProxies()
    const { replace, quote, proxy, clock, owner, core, instanceNo, orderNo, stockRow, ips } = service
    const before = await proxy()
    clock.advance(HOUR)
    expect(await quote()).toMatchObject({ way: 'at_once', ground: 'young', available: true })
    const done = await replace()
    const after = await proxy()
    expect(done).toMatchObject({
      status: 'done',
      ground: 'young',
      reason: REASON,
      instanceNo,
      orderNo,
      refundAmount: 0,
      oldIp: before.ip,
      oldPort: before.port,
      newIp: after.ip,
      newPort: after.port,
    })
    expect(after.ip).not.toBe(before.ip)
    expect(ips).toContain(after.ip)
    expect(after).toMatchObject({ instanceNo, expireTime: before.expireTime, openedAt: before.openedAt })
    expect(await stockRow(before.ip)).toMatchObject({ orderId: null, disabled: true, resting: true })
    expect(await service.balance(owner)).toBe(99)
    expect(await core.orders.listReplacements(owner, { instanceNo })).toEqual([
      expect.objectContaining({ replacementNo: done.replacementNo }),
    ])
    await service.audited()
  })

  it('never sells the old address again by itself', async () => {
    const { replace, proxy, order, owner, stock, ips } = await withProxies({ stock: 2 })
    const { ip } = await proxy()
    await replace()
    await refused(order(owner, { cityCode: 'USNYC' }), 'out_of_stock')
    expect(ips).toContain(ip)
    await stock('static', 1, { city: 'USNYC', state: 'NY' })
    await order(owner, { cityCode: 'USNYC' })
  })

  it('happens once, however often it is asked for at once', async () => {
    const { replace, wishes, db, audited } = await withProxies({ stock: 60 })
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => replace()))
    expect(tally(all)).toEqual({ ok: 1, rate_limited: 49 })
    expect(await wishes()).toHaveLength(1)
    expect(await db.read.stockIp.count({ where: { orderId: { not: null } } })).toBe(1)
    await audited()
  })

  it('gives the first answer again under its key', async () => {
    const { replace, wishes } = await withProxies()
    const first = await replace({ requestKey: 'once' })
    const again = await Promise.all(Array.from({ length: 10 }, () => replace({ requestKey: 'once' })))
    for (const one of again) expect(one).toEqual({ ...first, replayed: true })
    expect(await wishes()).toHaveLength(1)
    await refused(replace({ requestKey: 'once', reason: 'another' }), 'idempotency_conflict')
  })

  it('needs a dead proxy after the first day, and is limited in a term', async () => {
    const { replace, quote, clock, condemn, wishes, core, owner, orderNo, audited } = await withProxies()
    clock.advance(25 * HOUR)
    expect(await quote()).toMatchObject({ way: 'ask', ground: 'none' })
    await condemn()
    expect(await quote()).toMatchObject({ way: 'at_once', ground: 'dead' })
    expect(await replace()).toMatchObject({ status: 'done', ground: 'dead' })
    clock.advance(DAY)
    await condemn()
    expect(await quote()).toMatchObject({ way: 'ask', ground: 'dead' })
    await core.orders.renewStatic(owner, { order: { orderNo } })
    expect(await quote()).toMatchObject({ way: 'at_once', ground: 'dead' })
    expect(await replace()).toMatchObject({ status: 'done' })
    expect((await wishes()).map(({ status }) => status)).toEqual(['done', 'done'])
    await audited()
  })

  it('of a young proxy is one a day', async () => {
    const { replace, quote, clock } = await withProxies({ edit: { replaceLimit: 9 } })
    await replace()
    clock.advance(HOUR)
    expect(await quote()).toMatchObject({ way: 'ask', ground: 'none' })
  })

  it('is for its user and the user’s agent', async () => {
    const { customer, agent, owner, order, stock, runJobs, db, core } = await withProxies()
    const user = await customer(owner, { balance: 5 })
    await stock('static', 3)
    await order(user)
    await runJobs()
    const { instanceNo } = await db.read.instance.findFirstOrThrow({ where: { userId: user.id } })
    const wish = { instanceNo, reason: REASON }
    for (const stranger of [await agent(), await customer(owner)]) {
      await refused(core.orders.replaceInstance(stranger, wish), 'instance_not_found')
      await refused(core.orders.quoteReplacement(stranger, wish), 'instance_not_found')
      await refused(core.orders.listReplacements(stranger, wish), 'instance_not_found')
    }
    expect(await core.orders.replaceInstance(owner, wish)).toMatchObject({ status: 'done' })
  })

  it('is refused where the product says never, and for a proxy that has ended', async () => {
    const never = await withProxies({ edit: { replacePolicy: 'never' } })
    await refused(never.replace(), 'invalid_state')
    const { replace, quote, clock } = await withProxies()
    clock.advance(40 * DAY)
    await refused(replace(), 'invalid_state')
    await refused(quote(), 'invalid_state')
  })
})

describe('where there is no equal proxy', () => {
  it('the price of the rest of the term comes back, only if the customer wants that', async () => {
    const service = await withProxies({ stock: 1 })
    const { replace, quote, clock, owner, proxy, balance, core, orderNo, stockRow, audited } = service
    clock.advance(HOUR)
    await service.failOnce()
    // 743 of the 744 hours of March.
    const refundAmount = Math.floor((1_000_000 * 743) / 744)
    expect(await quote()).toMatchObject({ available: false, way: 'at_once', refundAmount })
    await refused(replace(), 'out_of_stock', { requested: 1, available: 0 })
    const { ip } = await proxy()
    expect(await replace({ refund: true })).toMatchObject({ status: 'refunded', refundAmount, newIp: null })
    expect(await balance(owner)).toBe(99 + refundAmount / 1e6)
    expect(await proxy()).toMatchObject({ status: 'released', refundedAmount: BigInt(refundAmount) })
    expect(await core.orders.getStatic(owner, { orderNo })).toMatchObject({
      status: 'cancelled',
      refundedAmount: refundAmount,
    })
    expect(await stockRow(ip)).toMatchObject({ orderId: null, disabled: true, resting: true })
    await refused(replace({ refund: true }), 'invalid_state')
    await audited()
  })

  it('it comes back once, however often it is asked for at once', async () => {
    const { replace, owner, entries, clock, failOnce, audited } = await withProxies({ stock: 1 })
    clock.advance(HOUR)
    await failOnce()
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => replace({ refund: true })))
    expect(tally(all)).toEqual({ ok: 1, invalid_state: 49 })
    expect((await entries(owner)).filter(({ type }) => type === 'refund')).toHaveLength(1)
    await audited()
  })

  it('renewals come back by their own price and time, and no more than was paid', async () => {
    const { replace, clock, core, owner, orderNo, proxy, balance, audited } = await withProxies({ stock: 1 })
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 2, minQuantity: 1, level: 1 })
    await core.orders.renewStatic(owner, { order: { orderNo } })
    expect(await balance(owner)).toBe(97)
    // In the middle of the renewed month, 15 April 12:00 of 1 April to 1 May.
    clock.set('2026-04-16T12:00:00.000Z')
    const { replacementNo } = await replace({ refund: true })
    await core.operator.replacements.decide(SHELL, { replacementNo, allow: true })
    expect(await proxy()).toMatchObject({ status: 'released', refundedAmount: 1_000_000n })
    expect(await balance(owner)).toBe(98)
    await audited()
  })

  it('what was given back before is not given back again', async () => {
    const { replace, quote, core, owner, orderNo, balance, failOnce, audited } = await withProxies({
      stock: 1,
    })
    await core.operator.orders.refund(SHELL, { orderNo, amount: 0.9, reason: 'slow' })
    await failOnce()
    expect(await quote()).toMatchObject({ refundAmount: 100_000 })
    expect(await replace({ refund: true })).toMatchObject({ status: 'refunded', refundAmount: 100_000 })
    expect(await balance(owner)).toBe(100)
    await audited()
  })

  it('a later release within the refund window still adds up', async () => {
    const { replace, clock, core, owner, orderNo, balance, failOnce, audited } = await withProxies({
      count: 3,
      stock: 3,
    })
    clock.advance(HOUR)
    await failOnce()
    expect(await replace({ refund: true })).toMatchObject({ status: 'refunded' })
    await core.orders.cancelStatic(owner, { orderNo })
    expect(await balance(owner)).toBe(100)
    await audited()
  })
})

describe('a wish that needs a decision', () => {
  const asking = () => withProxies({ edit: { replacePolicy: 'ask' } })

  it('is told to the operator, and changes nothing before it is decided', async () => {
    const { replace, quote, proxy, db, core } = await asking()
    const before = await proxy()
    expect(await quote()).toMatchObject({ way: 'ask' })
    const wish = await replace()
    expect(wish).toMatchObject({ status: 'requested', newIp: null, endedAt: null })
    expect(await proxy()).toEqual(before)
    expect(await db.read.notice.findMany({ where: { kind: 'replacement_wanted' } })).toMatchObject([
      { subject: wish.replacementNo, data: expect.stringContaining(REASON) },
    ])
    expect(await core.operator.replacements.list({ open: true })).toMatchObject([
      { replacementNo: wish.replacementNo, username: 'owner' },
    ])
    await refused(replace(), 'order_processing')
  })

  it('is carried out when it is allowed, once', async () => {
    const { replace, proxy, core, audited, orderNo } = await asking()
    const { replacementNo } = await replace()
    const before = await proxy()
    const decide = () =>
      core.operator.replacements.decide(SHELL, { replacementNo, allow: true, note: 'sorry' })
    const all = await Promise.allSettled(Array.from({ length: 10 }, decide))
    expect(tally(all)).toEqual({ ok: 1, invalid_state: 9 })
    expect((await proxy()).ip).not.toBe(before.ip)
    expect(await core.operator.replacements.list()).toMatchObject([
      { replacementNo, status: 'done', note: 'sorry', orderNo },
    ])
    await audited()
  })

  it('changes nothing when it is declined, and another one may be wished for', async () => {
    const { replace, proxy, core, audited } = await asking()
    const before = await proxy()
    const { replacementNo } = await replace()
    const declined = await core.operator.replacements.decide(SHELL, {
      replacementNo,
      allow: false,
      note: 'it works',
    })
    expect(declined).toMatchObject({ status: 'declined', note: 'it works' })
    expect(await proxy()).toEqual(before)
    expect(await replace()).toMatchObject({ status: 'requested' })
    await audited()
  })

  it('cannot be allowed without an equal proxy, unless somebody chose the refund', async () => {
    const { replace, core, proxy, audited } = await withProxies({ stock: 1, edit: { replacePolicy: 'ask' } })
    const { replacementNo } = await replace()
    const { decide } = core.operator.replacements
    await refused(decide(SHELL, { replacementNo, allow: true }), 'out_of_stock')
    expect(await decide(SHELL, { replacementNo, allow: true, refund: true })).toMatchObject({
      status: 'refunded',
    })
    expect(await proxy()).toMatchObject({ status: 'released' })
    await audited()
  })

  it('can only be declined when the proxy has ended meanwhile', async () => {
    const { replace, core, clock } = await asking()
    const { replacementNo } = await replace()
    clock.advance(40 * DAY)
    await refused(core.operator.replacements.decide(SHELL, { replacementNo, allow: true }), 'invalid_state')
    expect(await core.operator.replacements.decide(SHELL, { replacementNo, allow: false })).toMatchObject({
      status: 'declined',
    })
  })

  it('that nobody made cannot be decided', async () => {
    const { core } = await asking()
    await expect(
      core.operator.replacements.decide(SHELL, { replacementNo: 'X1', allow: true }),
    ).rejects.toMatchObject({
      code: 'validation_error',
    })
  })
})
