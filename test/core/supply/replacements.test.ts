import { describe, expect, it } from 'vitest'
import { refused, tally } from '../../support/service.ts'
import { suppliedShop } from '../../support/supplied-shop.ts'

const HOUR = 3_600_000

/** A delivered proxy of a third party that may be replaced at once. */
async function delivered() {
  const shop = await suppliedShop()
  const { core, order, buyer, step, runJobs, db } = shop
  await core.operator.editProduct('static', { replacePolicy: 'auto' })
  const { orderNo } = await order(buyer)
  await step()
  await runJobs()
  const proxy = () => db.read.instance.findFirstOrThrow()
  const { instanceNo } = await proxy()
  return {
    ...shop,
    orderNo,
    proxy,
    replace: () =>
      core.orders.replaceInstance(buyer, { instanceNo, reason: 'does not connect', refund: true }),
    quote: () => core.orders.quoteReplacement(buyer, { instanceNo }),
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

  it('that is refused by the supplier gives back the rest of the term, once', async () => {
    const { replace, proxy, step, runJobs, supplier, clock, db, balance, buyer, audited } = await delivered()
    clock.advance(HOUR)
    await db.write((tx) => tx.supplierOffer.updateMany({ data: { seenAt: clock.now() } }))
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
})
