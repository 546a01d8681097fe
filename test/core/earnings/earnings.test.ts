import { expect, it } from 'vitest'
import type { Actor } from '../../../src/core/access/actor.ts'
import { endCall } from '../../support/end-call.ts'
import { openService } from '../../support/service.ts'
import { suppliedOrder, withAcme } from '../../support/supplied-order.ts'

const HOUR = 3_600_000

async function shop() {
  const service = await openService()
  const agent = await service.agent({ balance: 100 })
  const user = await service.customer(agent, { balance: 1000 })
  await service.product('static', { price: 10 })
  await service.stock('static', 9)
  const { core, db } = service
  const earned = async () => {
    const account = await db.read.account.findUniqueOrThrow({ where: { id: agent.id } })
    const units = (amount: bigint | number) => Number(amount) / 1_000_000
    return [account.earningPending, account.earningAvailable, account.earningOwed].map(units)
  }
  const priceOf = async (actor: Actor) => (await core.catalog.query(actor, { productNo: 'static' }))[0]
  return { ...service, agent, user, earned, priceOf }
}

it('a sub-user pays the price of its agent, and sees no other', async () => {
  const { core, agent, user, priceOf } = await shop()
  await core.earnings.setPrice(agent, { markupPercent: 12.5 })
  expect(await priceOf(user)).toMatchObject({ price: 11_250_000, tiers: [{ price: 11_250_000 }] })
  await core.earnings.setPrice(agent, { productNo: 'static', price: 12 })
  await core.earnings.setPrice(agent, { productNo: 'static', minQuantity: 5, price: 3 })
  expect(await priceOf(user)).toMatchObject({
    tiers: [
      { minQuantity: 1, price: 12_000_000 },
      { minQuantity: 5, price: 10_000_000 },
    ],
  })
  await core.earnings.setPrice(agent, { userId: user.id, markupPercent: 50 })
  expect(await priceOf(user)).toMatchObject({ tiers: [{ minQuantity: 1, price: 15_000_000 }] })
  expect(await priceOf(agent)).toMatchObject({ price: 10_000_000 })
  await expect(core.earnings.setPrice(user, { markupPercent: 1 })).rejects.toThrow('agent_required')
  await expect(core.earnings.setPrice(agent, { price: 1 })).rejects.toThrow('validation_error')
})

it('an earning is pending, taken back in proportion, and available after the refund window', async () => {
  const { core, agent, user, earned, order, runJobs, clock, audited } = await shop()
  await core.earnings.setPrice(agent, { markupPercent: 20 })
  const bought = await order(user, { ipCount: 3 })
  expect(await earned()).toEqual([6, 0, 0])
  await runJobs()
  const { instances } = await core.orders.getStatic(user, bought)
  await core.orders.cancelStatic(user, { ...bought, instances: [instances[0]?.instanceNo ?? ''] })
  expect(await earned()).toEqual([4, 0, 0])
  await core.jobs.matureEarnings()
  expect(await earned()).toEqual([4, 0, 0])
  clock.advance(24 * 60 * 60_000 + 2)
  await core.jobs.matureEarnings()
  expect(await earned()).toEqual([0, 4, 0])
  await core.orders.renewStatic(user, { order: { orderNo: bought.orderNo } })
  expect(await earned()).toEqual([4, 4, 0])
  await audited()
})

it('a renewal that fails after other proxies of its order were released is given back, and leaves no earning', async () => {
  const service = await openService(withAcme())
  const { core, db, runJobs, audited, balance } = service
  const agent = await service.agent({ balance: 100 })
  const user = await service.customer(agent, { balance: 100 })
  const { orderNo, found } = await suppliedOrder(service, user)
  await core.earnings.setPrice(agent, { markupPercent: 50 })
  const [first = '', second = ''] = (await found()).instances.map(({ instanceNo }) => instanceNo)
  const before = await balance(user)
  const { renewOrderNo } = await core.orders.renewStatic(user, {
    order: { orderNo },
    instances: [{ instanceNo: first }],
  })
  await core.orders.cancelStatic(user, { orderNo, instances: [second] })
  await endCall(service, renewOrderNo, { reason: 'no such proxy' })
  await runJobs()
  expect(await balance(user)).toBe(before + 1)
  const { earningPending } = await db.read.account.findUniqueOrThrow({ where: { id: agent.id } })
  expect(Number(earningPending)).toBe(0)
  await audited()
})

it('what a renewal earns is pending until the supplier has answered, however long ago the order was', async () => {
  const service = await openService(withAcme())
  const { core, clock, runJobs, audited } = service
  const agent = await service.agent({ balance: 100 })
  const user = await service.customer(agent, { balance: 100 })
  const { orderNo, answers } = await suppliedOrder(service, user)
  await core.earnings.setPrice(agent, { markupPercent: 50 })
  clock.advance(20 * 24 * HOUR)
  const { renewOrderNo } = await core.orders.renewStatic(user, { order: { orderNo } })
  for (const hours of [0, 1, 24]) {
    clock.advance(hours * HOUR)
    await core.jobs.matureEarnings()
    expect(await core.earnings.ofAgent(agent)).toMatchObject({ pending: 1_500_000, available: 0 })
  }
  const instances = await answers([0, 1, 2], { expireTime: '2026-06-01T00:00:00Z' })
  await endCall(service, renewOrderNo, { instances, cost: 1 })
  await runJobs()
  clock.advance(HOUR)
  await core.jobs.matureEarnings()
  expect(await core.earnings.ofAgent(agent)).toMatchObject({ pending: 0, available: 1_500_000 })
  await audited()
})
