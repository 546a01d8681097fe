import { expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { delivers, scriptedSupplier } from '../../support/scripted-supplier.ts'
import { suppliedShop } from '../../support/supplied-shop.ts'
import { openService, refused, tally } from '../../support/service.ts'

const DAY = 86_400_000

async function shop() {
  const service = await openService({
    suppliers: { partly: scriptedSupplier(delivers(1), delivers(0)) },
  })
  const agent = await service.agent({ balance: 1000 })
  const rival = await service.agent({ balance: 1000 })
  const user = await service.customer(agent, { balance: 1000 })
  const stranger = await service.customer(rival, { balance: 1000 })
  await service.product('static', { price: 10 })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_2', price: 2 })
  await service.stock('static', 9)
  const { core, db } = service
  await core.earnings.setPrice(agent, { markupPercent: 20 })
  const earned = async () => (await core.earnings.ofAgent(agent)).pending / 1e6
  const uses = async (code: string) => (await core.operator.promotions.find(code)).uses
  const orderOf = (bought: { readonly orderNo: string }) => core.orders.getStatic(user, bought)
  return { ...service, db, agent, rival, user, stranger, earned, uses, orderOf }
}

it('a code of an agent is paid by its earning, for its own sub-users, and never by the shop', async () => {
  const { core, agent, rival, user, stranger, order, balance, earned, audited, buyTraffic } = await shop()
  const made = await core.promotions.create(agent, { code: 'spring-10', percent: 10, requestKey: 'k' })
  expect(made).toMatchObject({ code: 'SPRING-10', state: 'open', agent: agent.username, percent: 10 })
  expect(await core.promotions.create(agent, { code: 'spring-10', percent: 10, requestKey: 'k' })).toEqual({
    ...made,
    replayed: true,
  })
  // 24 less 10 %: the shop gets 20 of it, as without the code.
  await order(user, { ipCount: 2, promoCode: ' Spring-10 ' })
  expect([await balance(user), await earned()]).toEqual([1000 - 21.6, 1.6])
  // Never more than what the agent earns.
  await core.promotions.create(agent, { code: 'HALF', percent: 50 })
  await order(user, { ipCount: 1, promoCode: 'ＨＡＬＦ' })
  expect([await balance(user), await earned()]).toEqual([1000 - 31.6, 1.6])
  const { order: traffic } = await buyTraffic(user, { trafficAmount: 10, promoCode: 'SPRING-10' })
  expect(traffic).toMatchObject({ totalAmount: 21_600_000, discount: 2_400_000, promoCode: 'SPRING-10' })
  await refused(order(stranger, { promoCode: 'HALF' }), 'promo_code_not_found')
  await refused(order(agent, { promoCode: 'HALF' }), 'promo_code_not_usable', { reason: 'sub_users_only' })
  await core.promotions.create(rival, { code: 'NOTHING', amount: 1 })
  await refused(order(stranger, { promoCode: 'nothing' }), 'promo_code_not_usable', {
    reason: 'nothing_to_discount',
  })
  await refused(core.promotions.create(rival, { code: 'half', percent: 1 }), 'promo_code_taken')
  await refused(core.promotions.create(user, { percent: 1 }), 'agent_required')
  await refused(core.promotions.create(rival, { percent: 1, amount: 1 }), 'validation_error')
  await refused(core.promotions.create(rival, { percent: 1, products: ['none'] }), 'product_not_found')
  await refused(core.promotions.stop(rival, 'HALF'), 'promo_code_not_found')
  expect(
    (await core.promotions.list(agent)).items.map(({ code, uses, given }) => [code, uses, given]),
  ).toEqual([
    ['HALF', 1, 2_000_000],
    ['SPRING-10', 2, 4_800_000],
  ])
  await audited()
})

it('a code of the operator is paid by the shop, down to 0, and leaves the earning', async () => {
  const { core, agent, user, stranger, order, balance, earned, audited } = await shop()
  const { add, stop } = core.operator.promotions
  await add(SHELL, { code: 'GIFT', percent: 100, maxUsesPerUser: 1 })
  const input = { poolId: 'static', ipCount: 2, duration: 1, unit: 3 as const, promoCode: 'gift' }
  expect(await core.orders.quoteStatic(user, { ...input, userId: user.id })).toMatchObject({
    unitPrice: 12_000_000,
    discount: 20_000_000,
    promoCode: 'GIFT',
    totalAmount: 4_000_000,
    balanceAfter: 996_000_000,
  })
  await order(user, { ipCount: 2, promoCode: 'gift' })
  expect([await balance(user), await earned()]).toEqual([996, 4])
  await refused(order(user, { promoCode: 'gift' }), 'promo_code_not_usable', { reason: 'used_by_user' })
  // Nothing is left to pay.
  await order(agent, { promoCode: 'gift' })
  expect(await balance(agent)).toBe(1000)
  await stop(SHELL, 'gift')
  await refused(order(stranger, { promoCode: 'gift' }), 'promo_code_not_usable', { reason: 'ended' })
  await add(SHELL, { code: 'ONLY', amount: 3, products: ['traffic'] })
  await refused(order(stranger, { promoCode: 'only' }), 'promo_code_not_usable', { reason: 'other_product' })
  await audited()
})

it('a percentage of the operator is one of what the shop gets, so that it pays out no markup', async () => {
  const { core, agent, user, order, balance, earned, audited } = await shop()
  await core.earnings.setPrice(agent, { markupPercent: 900 })
  await core.operator.promotions.add(SHELL, { code: 'FIVE', percent: 5 })
  await order(user, { promoCode: 'five' })
  // 5 % of 10, not of 100.
  expect([await balance(user), await earned()]).toEqual([1000 - 99.5, 90])
  await audited()
})

it('uses are counted once, end with their time, and wrong codes are limited', async () => {
  const { core, user, stranger, order, balance, uses, clock, audited, buyTraffic } = await shop()
  await core.operator.promotions.add(SHELL, { code: 'ONE', amount: 5, maxUses: 1 })
  const both = [user, stranger].map((buyer) => order(buyer, { promoCode: 'ONE', appOrderNo: 'same' }))
  expect(tally(await Promise.allSettled(both))).toEqual({ ok: 1, promo_code_not_usable: 1 })
  const [winner, loser] = (await balance(user)) < 1000 ? [user, stranger] : [stranger, user]
  expect([await balance(winner), await balance(loser)]).toEqual([winner === user ? 993 : 995, 1000])
  // A repetition uses nothing and is no conflict; another code is another order.
  expect(await order(winner, { promoCode: 'ONE', appOrderNo: 'same' })).toMatchObject({ replayed: true })
  await refused(order(winner, { promoCode: 'TWO', appOrderNo: 'same' }), 'idempotency_conflict')
  expect(await uses('ONE')).toBe(1)

  await core.operator.promotions.add(SHELL, { code: 'WEEK', amount: 1, days: 7 })
  expect((await buyTraffic(user, { promoCode: 'week', appOrderNo: 'w' })).order.discount).toBe(1_000_000)
  clock.advance(7 * DAY)
  await refused(buyTraffic(user, { promoCode: 'week' }), 'promo_code_not_usable', { reason: 'ended' })

  for (let wrong = 0; wrong < 10; wrong++)
    await refused(buyTraffic(user, { promoCode: `wrong${wrong}` }), 'promo_code_not_found')
  await refused(buyTraffic(user, { promoCode: 'week' }), 'rate_limited')
  await buyTraffic(user)
  clock.advance(DAY)
  await refused(buyTraffic(user, { promoCode: 'week' }), 'promo_code_not_usable')
  await audited()
})

it('what comes back is what was paid, to the last micro, and a failed order gives the use back', async () => {
  const { core, agent, user, order, product, stock, balance, uses, orderOf, runJobs, audited } = await shop()
  await core.operator.promotions.add(SHELL, { code: 'SEVEN', amount: 7, maxUses: 9 })
  const bought = await order(user, { ipCount: 3, promoCode: 'SEVEN' })
  await runJobs()
  const { instances } = await orderOf(bought)
  const names = instances.map(({ instanceNo }) => instanceNo)
  const release = (name = '') => core.orders.cancelStatic(user, { ...bought, instances: [name] })
  // 36 less 7, in thirds of 7: 2.333333, 2.333333, 2.333334.
  expect((await release(names[0])).refundAmount).toBe(12_000_000 - 2_333_333)
  await audited()
  await core.operator.orders.refund(SHELL, { ...bought, amount: 1, reason: 'slow' })
  await release(names[1])
  await release(names[2])
  expect(await balance(user)).toBe(1000)
  expect(await core.earnings.ofAgent(agent)).toMatchObject({ pending: 0 })
  expect(await uses('SEVEN')).toBe(1)

  // One of three is delivered; then none is.
  await product('partly', { price: 10, supplier: 'partly' })
  await stock('partly', 1)
  const partly = await order(user, { poolId: 'partly', ipCount: 3, promoCode: 'SEVEN' })
  await runJobs()
  expect(await orderOf(partly)).toMatchObject({
    discount: 7_000_000,
    totalAmount: 29_000_000,
    refundedAmount: 24_000_000 - 4_666_667,
  })
  await order(user, { poolId: 'partly', promoCode: 'SEVEN' })
  expect(await uses('SEVEN')).toBe(3)
  await runJobs()
  expect(await uses('SEVEN')).toBe(2)
  expect(await balance(user)).toBe(1000 - 9.666667)
  await audited()
})

it('what is bought for an order with a code costs less than the shop gets, or is not sold', async () => {
  const { core, db, buyer, order, balance, audited } = await suppliedShop()
  const { add } = core.operator.promotions
  await add(SHELL, { code: 'COVERED', percent: 40 })
  await add(SHELL, { code: 'LOSS', percent: 60 })
  await refused(order(buyer, { promoCode: 'loss' }), 'promo_code_not_usable', { reason: 'price_too_low' })
  const { orderNo } = await order(buyer, { promoCode: 'covered' })
  const { request } = await db.read.supplierCall.findFirstOrThrow({ where: { subject: orderNo } })
  expect(JSON.parse(request)).toMatchObject({ ceiling: '2.400000' })
  expect(await balance(buyer)).toBe(997.6)
  await audited()
})
