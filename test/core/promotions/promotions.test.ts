import { describe, expect, it } from 'vitest'
import type { StaticOrderInput } from '../../../src/core/orders/static-order-input.ts'
import type { NewPromoCode } from '../../../src/core/promotions/manage-promo-codes.ts'
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

describe('a code that may cost the balance of its agent', () => {
  /** Sold for 12, of which the shop gets 10. */
  async function paying(terms: Omit<NewPromoCode, 'code'>, agentsBalance = 100) {
    const world = await shop()
    const { core, agent, user, orderOf, balance } = world
    await core.operator.adjustBalance(SHELL, {
      username: agent.username,
      amount: agentsBalance - 1000,
      remark: 'test',
    })
    await core.promotions.create(agent, { code: 'OURS', ...terms })
    const buy = async (input: Partial<StaticOrderInput> = {}) =>
      orderOf(await world.order(user, { promoCode: 'ours', ...input }))
    const quote = async () => {
      const input = { userId: user.id, poolId: 'static', ipCount: 1, duration: 1, unit: 3 as const }
      return (await core.orders.quoteStatic(user, { ...input, promoCode: 'ours' })).totalAmount / 1e6
    }
    const used = async () => (await core.promotions.get(agent, 'OURS')).balanceUsed / 1e6
    const entries = async () => {
      const page = await core.records.transactions(agent, { types: ['promotion'], userId: agent.id })
      return page.items.map(({ amount, orderNo, orderType }) => [amount / 1e6, orderNo, orderType])
    }
    const balances = async () => [await balance(user), await balance(agent)]
    return { ...world, buy, quote, used, entries, balances }
  }

  it('takes its percentage of the price, and its limit is what the balance pays of it at most', async () => {
    const { buy, quote, used, entries, balances, earned, core, user, audited, order, buyTraffic } =
      await paying({ percent: 50, balanceLimit: 5 })
    // 6 off: 2 by the earning, 4 by the balance.
    expect(await quote()).toBe(6)
    const first = await buy({ totalAmount: 6 })
    expect(first).toMatchObject({ totalAmount: 6_000_000, discount: 6_000_000 })
    expect([await balances(), await earned(), await used()]).toEqual([[994, 96], 0, 4])
    expect(await entries()).toEqual([[-4, first.orderNo, 'static']])
    // 1 is left of the limit; whoever has agreed to no more than before pays nothing.
    expect(await quote()).toBe(9)
    await refused(order(user, { promoCode: 'ours', totalAmount: 6 }), 'price_changed', { total_amount: 9 })
    await buy()
    const { order: traffic } = await buyTraffic(user, { trafficAmount: 10, promoCode: 'ours' })
    expect([traffic.discount, await balances(), await used()]).toEqual([4_000_000, [965, 95], 5])
    expect((await core.operator.profit(SHELL)).total).toMatchObject({ revenue: 40_000_000, agents: 0 })
    await audited()
  })

  it('gets back what it paid with every refund, in proportion, and the customer what it paid itself', async () => {
    const world = await paying({ percent: 50, balanceLimit: 100 })
    const { core, db, agent, user, buy, used, entries, balances, runJobs, product, stock, audited } = world
    const { username } = agent
    await core.operator.adjustBalance(SHELL, { username, amount: -97, remark: 'paid out', paid: true })
    await core.operator.adjustBalance(SHELL, { username, amount: 100, remark: 'a present' })
    const paidIn = async () => (await db.read.account.findUniqueOrThrow({ where: { id: agent.id } })).paidIn
    // 103, of which 3 came in. 36 less 18: 6 by the earning, 12 by the balance.
    const { orderNo } = await buy({ ipCount: 3 })
    await runJobs()
    expect([await balances(), await used()]).toEqual([[982, 91], 12])
    await core.operator.orders.refund(SHELL, { orderNo, amount: 1.5, reason: 'slow' })
    expect([await balances(), await used(), await paidIn()]).toEqual([[983.5, 92], 11, 250_000n])
    const { instances } = await world.orderOf({ orderNo })
    const [one = '', ...others] = instances.map(({ instanceNo }) => instanceNo)
    await core.orders.cancelStatic(user, { orderNo, instances: others })
    await core.orders.cancelStatic(user, { orderNo, instances: [one] })
    expect([await balances(), await used()]).toEqual([[1000, 103], 0])
    expect(await paidIn()).toBe(3_000_000n)
    expect((await entries()).map(([amount]) => amount)).toEqual([3, 8, 1, -12])

    // One of three is delivered; then none is, and the use counts no more.
    await product('partly', { price: 10, supplier: 'partly' })
    await stock('partly', 1)
    await buy({ poolId: 'partly', ipCount: 3 })
    await buy({ poolId: 'partly' })
    expect([await balances(), await used()]).toEqual([[976, 87], 16])
    await runJobs()
    expect([await balances(), await used()]).toEqual([[994, 99], 4])

    const bought = await world.buyTraffic(user, { trafficAmount: 10, promoCode: 'ours' })
    expect([await balances(), await used()]).toEqual([[982, 91], 12])
    const refund = (amount: number | null) =>
      core.operator.orders.refund(SHELL, { orderNo: bought.order.orderNo, amount, reason: 'slow' })
    await refund(4.5)
    expect([await balances(), await used()]).toEqual([[986.5, 94], 9])
    await refund(null)
    expect([await balances(), await used()]).toEqual([[994, 99], 4])
    await audited()
  })

  it('may pay all of a purchase, of which nobody keeps a few proxies at the price for many', async () => {
    const world = await paying({ percent: 100, balanceLimit: 60 })
    const { core, agent, user, buy, used, balances, runJobs, audited } = world
    await core.earnings.setPrice(agent, { markupPercent: 0 })
    await core.operator.setPrice(SHELL, { productNo: 'static', price: 8, minQuantity: 5 })
    const { orderNo, totalAmount } = await buy({ ipCount: 5 })
    await runJobs()
    expect([totalAmount, await balances(), await used()]).toEqual([0, [1000, 60], 40])
    const { instances } = await world.orderOf({ orderNo })
    const names = instances.map(({ instanceNo }) => instanceNo)
    const { refundAmount } = await core.orders.cancelStatic(user, { orderNo, instances: names.slice(1) })
    // The one that stays costs 10.
    expect([refundAmount, await balances(), await used()]).toEqual([0, [1000, 90], 10])
    await audited()
  })

  it('gets back its part of the price of the rest of a term, of which a renewal is not', async () => {
    const world = await paying({ percent: 50, balanceLimit: 100 })
    const { core, clock, user, buy, used, balances, runJobs, stock, product, audited } = world
    await product('days', { price: 10, periodUnit: 1, periodLength: 1 })
    await stock('days', 1)
    // 48 less 24: 8 by the earning, 16 by the balance; and 24 for two days more, which the customer pays alone.
    const { orderNo } = await buy({ poolId: 'days', duration: 4, unit: 1 })
    await runJobs()
    await core.orders.renewStatic(user, { order: { orderNo }, duration: 2 })
    await runJobs()
    expect(await balances()).toEqual([952, 84])
    clock.advance(3 * DAY)
    const [proxy] = (await world.orderOf({ orderNo })).instances
    const instanceNo = proxy?.instanceNo ?? ''
    const asked = { instanceNo, reason: 'it does not connect', refund: true }
    const { replacementNo } = await core.orders.replaceInstance(user, asked)
    await core.operator.replacements.decide(SHELL, { replacementNo, allow: true, refund: true })
    // A quarter of the first term is ahead, and all of the second one.
    expect([await balances(), await used()]).toEqual([[982, 88], 12])
    await audited()
  })

  it('never pays more than its limit, or than the agent has, whoever comes at once', async () => {
    const { core, agent, user, order, balances, used, audited } = await paying(
      { amount: 12, balanceLimit: 100 },
      25,
    )
    const many = [1, 2, 3, 4].map((number) =>
      order(user, { promoCode: 'ours', totalAmount: 0.000001, appOrderNo: `at once ${number}` }),
    )
    // A total of 0 is no ceiling, so one micro is the least.
    expect(tally(await Promise.allSettled(many))).toEqual({ ok: 2, price_changed: 2 })
    expect([await balances(), await used()]).toEqual([[1000, 5], 20])
    await order(user, { promoCode: 'ours' })
    await order(user, { promoCode: 'ours' })
    expect([await balances(), await used()]).toEqual([[985, 0], 25])
    await core.earnings.setPrice(agent, { markupPercent: 0 })
    await refused(order(user, { promoCode: 'ours' }), 'promo_code_not_usable', {
      reason: 'nothing_to_discount',
    })
    await audited()
  })
})
