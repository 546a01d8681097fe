import { describe, expect, it } from 'vitest'
import { openService, refused } from '../../support/service.ts'

const HOUR = 3_600_000

/** An agent's customer with 100 and an order of three proxies at 1 a month, delivered. */
async function delivered() {
  const service = await openService()
  const agent = await service.agent()
  const buyer = await service.customer(agent, { balance: 100 })
  await service.stock(await service.product(), 3)
  const { orderNo } = await service.order(buyer, { ipCount: 3 })
  await service.runJobs()
  const { instances } = await service.core.orders.getStatic(buyer, { orderNo })
  return { ...service, agent, buyer, orderNo, numbers: instances.map(({ instanceNo }) => instanceNo) }
}

describe('the quote of a renewal', () => {
  it('says what the renewal then costs and does, and changes nothing itself', async () => {
    const { core, buyer, agent, orderNo, numbers, audited } = await delivered()
    const wanted = {
      order: { orderNo },
      instances: numbers.slice(0, 2).map((instanceNo) => ({ instanceNo })),
      duration: 3,
      unit: 3,
    } as const
    const before = await core.orders.getStatic(buyer, { orderNo })
    // An agent sees what its customer would pay.
    const quote = await core.orders.quoteRenewal(agent, wanted)
    expect(await core.orders.getStatic(buyer, { orderNo })).toEqual(before)
    expect(quote).toMatchObject({ username: buyer.username, quantity: 2, balance: 97_000_000 })
    const renewal = await core.orders.renewStatic(buyer, wanted)
    expect([renewal.amount, renewal.balance]).toEqual([quote.totalAmount, quote.balanceAfter])
    expect(renewal.instances).toEqual(
      quote.instances.map(({ instanceNo, oldExpireTime, newExpireTime }) => ({
        instanceNo,
        status: 'success',
        oldExpireTime,
        newExpireTime,
      })),
    )
    await audited()
  })

  it('refuses what the renewal refuses, but for money', async () => {
    const { core, buyer, agent, orderNo, db } = await delivered()
    const renewal = (change: object = {}) => ({ order: { orderNo }, ...change })
    const stranger = await (await openService()).agent()
    for (const [actor, input, refusal] of [
      [buyer, renewal({ duration: 7 }), 'duration_not_supported'],
      [buyer, renewal({ instances: [{ instanceNo: 'I1' }] }), 'instance_not_found'],
      [buyer, renewal({ order: { id: 99 } }), 'order_not_found'],
      [{ ...stranger, id: 999 }, renewal(), 'order_not_found'],
    ] as const) {
      await refused(core.orders.quoteRenewal(actor, input), refusal)
      await refused(core.orders.renewStatic(actor, input), refusal)
    }
    const dear = renewal({ duration: 120, unit: 3 })
    expect((await core.orders.quoteRenewal(buyer, dear)).balanceAfter).toBe(97_000_000 - 360_000_000)
    await refused(core.orders.renewStatic(buyer, dear), 'insufficient_balance')
    await db.write((tx) => tx.account.update({ where: { id: buyer.id }, data: { status: 'disabled' } }))
    await refused(core.orders.quoteRenewal(agent, renewal()), 'account_disabled')
  })
})

describe('the quote of a cancellation', () => {
  it('says what then comes back, renewals included, and changes nothing itself', async () => {
    const { core, buyer, orderNo, numbers, clock, audited } = await delivered()
    await core.orders.renewStatic(buyer, {
      order: { orderNo },
      instances: [{ instanceNo: numbers[0] ?? '' }],
    })
    const some = { orderNo, instances: numbers.slice(0, 2) }
    const quote = await core.orders.quoteCancellation(buyer, some)
    expect(quote).toMatchObject({
      instances: some.instances,
      refundAmount: 3_000_000,
      refundUntil: '2026-03-02T12:00:00.000Z',
      balanceAfter: quote.balance + 3_000_000,
    })
    const { releasedInstances, refundAmount, balance } = await core.orders.cancelStatic(buyer, some)
    expect([releasedInstances, refundAmount, balance]).toEqual([
      some.instances,
      quote.refundAmount,
      quote.balanceAfter,
    ])
    clock.advance(24 * HOUR + 1)
    const late = await core.orders.quoteCancellation(buyer, { orderNo })
    expect(late).toMatchObject({ instances: numbers.slice(2), refundAmount: 0, balanceAfter: late.balance })
    await audited()
  })

  it('holds until the press: a cancellation that would give back less than it said is refused', async () => {
    const { core, buyer, orderNo, clock, audited } = await delivered()
    const { refundAmount } = await core.orders.quoteCancellation(buyer, { orderNo })
    clock.advance(24 * HOUR + 1)
    const minRefund = refundAmount / 1_000_000
    await refused(core.orders.cancelStatic(buyer, { orderNo, minRefund }), 'price_changed')
    expect((await core.orders.getStatic(buyer, { orderNo })).status).toBe('active')
    expect((await core.orders.cancelStatic(buyer, { orderNo })).refundAmount).toBe(0)
    await audited()
  })
})
