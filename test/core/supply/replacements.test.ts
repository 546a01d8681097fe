import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { refused, tally } from '../../support/service.ts'
import { suppliedShop } from '../../support/supplied-shop.ts'

const HOUR = 3_600_000

/** A delivered proxy of a third party that may be replaced at once; others of its order stay as they are. */
async function delivered({
  policy = 'auto',
  ipCount = 1,
}: { policy?: 'auto' | 'ask'; ipCount?: number } = {}) {
  const shop = await suppliedShop({ operatorChats: [900] })
  const { core, order, buyer, step, runJobs, db, clock } = shop
  await core.operator.editProduct(SHELL, 'static', { replacePolicy: policy })
  const { orderNo } = await order(buyer, { ipCount })
  await step()
  await runJobs()
  const proxy = () => db.read.instance.findFirstOrThrow({ orderBy: { id: 'asc' } })
  const { instanceNo } = await proxy()
  return {
    ...shop,
    orderNo,
    proxy,
    replace: () =>
      core.orders.replaceInstance(buyer, { instanceNo, reason: 'does not connect', refund: true }),
    quote: () => core.orders.quoteReplacement(buyer, { instanceNo }),
    /** A check of the proxy has failed: without it, only the operator gives money. */
    failOnce: () => db.write((tx) => tx.instance.updateMany({ data: { failures: 1 } })),
    /** An hour later, when the offers were read again. */
    hourLater: async () => {
      clock.advance(HOUR)
      await db.write((tx) => tx.supplierOffer.updateMany({ data: { seenAt: clock.now() } }))
    },
    renew: (which = {}) => core.orders.renewStatic(buyer, { order: { orderNo }, ...which }),
  }
}

describe('the replacement of a proxy from a supplier', () => {
  it('buys another one for the rest of the term, swaps it once, and releases the old one', async () => {
    const { replace, quote, proxy, step, runJobs, call, supplier, clock, db, proven } = await delivered()
    const before = await proxy()
    clock.advance(HOUR)
    await db.write((tx) => tx.supplierOffer.updateMany({ data: { seenAt: clock.now() } }))
    expect(await quote()).toMatchObject({ way: 'at_once', ground: 'young', available: true })
    const all = await Promise.allSettled(Array.from({ length: 20 }, replace))
    expect(tally(all)).toEqual({ ok: 1, order_processing: 19 })
    const { replacementNo } = await db.read.replacement.findFirstOrThrow()
    expect(await proxy()).toEqual(before)
    expect(await call(replacementNo)).toMatchObject({ kind: 'open', state: 'intended', count: 1 })
    expect(await step()).toEqual(['settled'])
    await runJobs()
    await runJobs()
    const after = await proxy()
    expect(after).toMatchObject({ instanceNo: before.instanceNo, providerInstanceNo: 'N2', status: 'active' })
    expect([after.ip === before.ip, after.cost]).toEqual([false, 4_000_000n])
    expect(after.expireTime <= before.expireTime).toBe(true)
    expect(await db.read.replacement.findFirstOrThrow()).toMatchObject({ status: 'done', newIp: after.ip })
    expect(await call(replacementNo)).toMatchObject({ result: null })
    expect(await call(`${replacementNo}R`)).toMatchObject({ kind: 'release', state: 'intended' })
    expect(supplier.orders.size).toBe(2)
    await proven(996)
  })

  it('may cost the part of the shop of what would be given back, without that of the agent', async () => {
    const shop = await suppliedShop()
    const { core, buyer, order, step, runJobs, clock, db, call } = shop
    await core.operator.editProduct(SHELL, 'static', { replacePolicy: 'auto' })
    const user = await shop.customer(buyer, { balance: 100 })
    await core.earnings.setPrice(buyer, { markupPercent: 100 })
    const { orderNo } = await order(user, { ipCount: 2 })
    await step()
    await runJobs()
    clock.advance(HOUR)
    await db.write((tx) => tx.supplierOffer.updateMany({ data: { seenAt: clock.now() } }))
    const [instance] = (await core.orders.getStatic(user, { orderNo })).instances
    const reason = 'does not connect'
    await core.orders.replaceInstance(user, { instanceNo: instance?.instanceNo ?? '', reason, refund: true })
    const { replacementNo } = await db.read.replacement.findFirstOrThrow()
    // The user paid 8 for it, and the shop got 4 of that.
    const rest = Math.floor((8_000_000 * 743) / 744)
    const { request, rate } = { ...(await call(replacementNo)), ...(await shop.account()) }
    expect(Number(rate)).toBe(1_000_000)
    expect(Number((JSON.parse(request) as { ceiling: string }).ceiling) * 1e6).toBeCloseTo(rest / 2, -1)
    await shop.audited()
  })

  it('that is refused by the supplier leaves the old one, where no check has failed', async () => {
    const { replace, hourLater, proxy, step, runJobs, supplier, db, balance, buyer, audited } =
      await delivered()
    await hourLater()
    expect(await replace()).toMatchObject({ status: 'processing' })
    supplier.behaviour.refuses = 'out_of_stock'
    await step()
    await runJobs()
    expect(await db.read.replacement.findFirstOrThrow()).toMatchObject({ status: 'declined' })
    expect(await proxy()).toMatchObject({ status: 'active', refundedAmount: 0n })
    expect([await balance(buyer), await db.read.supplierCall.count({ where: { kind: 'release' } })]).toEqual([
      996, 0,
    ])
    await audited()
  })

  it('that is refused by the supplier gives back the rest of the term, once', async () => {
    const { replace, hourLater, failOnce, proxy, step, runJobs, supplier, balance, buyer, audited } =
      await delivered()
    await hourLater()
    await failOnce()
    expect(await replace()).toMatchObject({ status: 'processing' })
    supplier.behaviour.refuses = 'out_of_stock'
    await step()
    await runJobs()
    await runJobs()
    const refund = Math.floor((4_000_000 * 743) / 744)
    expect(await proxy()).toMatchObject({ status: 'released', refundedAmount: BigInt(refund) })
    expect(await balance(buyer)).toBe(996 + refund / 1e6)
    await audited()
  })

  it('keeps the proxy from being renewed or released meanwhile', async () => {
    const { replace, core, buyer, orderNo, clock, db } = await delivered()
    clock.advance(HOUR)
    await db.write((tx) => tx.supplierOffer.updateMany({ data: { seenAt: clock.now() } }))
    await replace()
    await refused(core.orders.cancelStatic(buyer, { orderNo }), 'order_processing')
    await refused(core.orders.renewStatic(buyer, { order: { orderNo } }), 'order_processing')
  })

  it('and those beside it are renewed by two orders of the supplier, and both count for the low balance', async () => {
    const { replace, core, buyer, orderNo, hourLater, step, runJobs, clock, db, balance } = await delivered({
      ipCount: 2,
    })
    await core.orders.setAutoRenew(buyer, { orderNo, autoRenew: true })
    await hourLater()
    await replace()
    await step()
    await runJobs()
    const { username } = await db.read.account.findUniqueOrThrow({ where: { id: buyer.id } })
    const amount = 6 - (await balance(buyer))
    await core.operator.adjustBalance(SHELL, { username, amount, remark: 'fee' })
    await core.webhooks.create(buyer, { url: 'https://hooks.example.com/' })
    clock.advance(25 * 24 * HOUR)
    await db.write((tx) => tx.supplierOffer.updateMany({ data: { seenAt: clock.now() } }))
    for (const sweep of core.jobs.noticeSweeps) await sweep()
    const { facts } = await db.read.webhookDelivery.findFirstOrThrow({ where: { type: 'balance.low' } })
    expect(JSON.parse(facts)).toMatchObject({ balance: 6_000_000, needed: 8_000_000 })
  })

  it('is not allowed while the renewal of the proxy waits for the supplier', async () => {
    const shop = await delivered({ policy: 'ask' })
    const { core, replace, renew, hourLater, proxy, step, runJobs, audited, balance, buyer } = shop
    await hourLater()
    const { replacementNo } = await replace()
    await renew()
    const decide = () =>
      core.operator.replacements.decide(SHELL, { replacementNo, allow: true, refund: true })
    await refused(decide(), 'order_processing')
    await step()
    await runJobs()
    expect(await balance(buyer)).toBe(992)
    await audited()
    await decide()
    await step()
    await runJobs()
    expect(await proxy()).toMatchObject({ providerInstanceNo: 'N2', status: 'active' })
    await audited()
  })

  it('by the same proxy again, or one in use, gives back the rest of the term', async () => {
    const shop = await delivered({ ipCount: 2 })
    const { replace, hourLater, proxy, step, runJobs, supplier, db, audited, told } = shop
    await hourLater()
    await shop.failOnce()
    await replace()
    const [first] = [...supplier.orders.values()]
    supplier.behaviour.immediate = false
    await step()
    supplier.behaviour.immediate = true
    const { replacementNo } = await db.read.replacement.findFirstOrThrow()
    supplier.finish(replacementNo)
    const open = supplier.orders.get(replacementNo)
    if (!open || !first) throw new Error('the order is missing')
    open.instances = first.instances.slice(0, 1)
    shop.clock.advance(HOUR)
    await step()
    await runJobs()
    expect(await proxy()).toMatchObject({ status: 'released', providerInstanceNo: 'N1' })
    expect(await db.read.replacement.findFirstOrThrow()).toMatchObject({ status: 'refunded' })
    expect(await told()).toContain(`supplier_extra ${replacementNo} in use`)
    await audited()
  })

  it('that hangs keeps no other proxy of the order from being renewed', async () => {
    const shop = await delivered({ ipCount: 2 })
    const { replace, renew, hourLater, db, step, runJobs, audited, supplier } = shop
    await hourLater()
    await replace()
    supplier.behaviour.immediate = false
    await step()
    const { instances } = await renew()
    const second = await db.read.instance.findFirstOrThrow({ where: { providerInstanceNo: 'N2' } })
    expect(instances.map(({ instanceNo }) => instanceNo)).toEqual([second.instanceNo])
    supplier.behaviour.immediate = true
    await step()
    await runJobs()
    await audited()
  })

  it('comes with an order of its own, by which it is renewed and released', async () => {
    const shop = await delivered({ ipCount: 2 })
    const { replace, renew, hourLater, step, runJobs, call, core, buyer, orderNo, db, audited } = shop
    await hourLater()
    await replace()
    await step()
    await runJobs()
    await step()
    const renewed = await renew()
    const request = async (callNo: string) =>
      JSON.parse((await call(callNo)).request) as { providerOrderNo: string; instances: unknown[] }
    expect(renewed.instances).toHaveLength(1)
    const orderOf = { N2: 'P1', N3: 'P2' }
    const instanceNos = (await db.read.instance.findMany({ orderBy: { id: 'asc' } })).map(
      ({ instanceNo, providerInstanceNo }) => ({ instanceNo, providerInstanceNo }),
    )
    const ofFirst = instanceNos.find(({ instanceNo }) => instanceNo === renewed.instances[0]?.instanceNo)
    expect((await request(renewed.renewOrderNo)).providerOrderNo).toBe(
      orderOf[ofFirst?.providerInstanceNo as keyof typeof orderOf],
    )
    await step()
    await runJobs()
    await core.orders.cancelStatic(buyer, { orderNo })
    const releases = await db.read.supplierCall.findMany({
      where: { kind: 'release', state: 'intended' },
      orderBy: { id: 'asc' },
    })
    const asked = await Promise.all(releases.map(({ callNo }) => request(callNo)))
    expect(asked.map(({ providerOrderNo, instances }) => [providerOrderNo, instances.length])).toEqual(
      expect.arrayContaining([
        ['P1', 1],
        ['P2', 1],
      ]),
    )
    expect(releases).toHaveLength(2)
    await audited()
  })

  it('ends the old one also where the place has lost its offer meanwhile', async () => {
    const { core, replace, hourLater, step, runJobs, supplier, db, call, audited } = await delivered()
    supplier.offers.push({ ...supplier.offers[0]!, offerNo: 'NY', state: 'NY', cityCode: 'USNYC' })
    await core.operator.suppliers.sync(SHELL, 'upstream')
    await hourLater()
    await replace()
    await core.operator.editProduct(SHELL, 'static', { addOffers: ['NY'], removeOffers: ['LA'] })
    await step()
    await runJobs()
    const { replacementNo } = await db.read.replacement.findFirstOrThrow()
    expect(await call(`${replacementNo}R`)).toMatchObject({ kind: 'release' })
    await audited()
  })
})
