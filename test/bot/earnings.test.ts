import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { startEarningShop } from '../support/earning-shop.ts'
import { buy } from '../support/notices.ts'
import { movableClock } from '../support/movable-clock.ts'
import type { Phone } from '../support/phone.ts'
import { AGENT, ANN, BEN } from '../support/product.ts'

/** Presses buttons, or types what is no button, and waits for what comes of each. */
async function go(phone: Phone, ...steps: readonly (readonly [button: string, next: string])[]) {
  for (const [button, next] of steps) {
    await phone.press(button)
    await phone.waitFor(next)
  }
}

test('an agent sets what its sub-users pay, for all and for one, and sees it before', async () => {
  const { core, boss: ann, agent, customer, telegram } = await startEarningShop(ANN)
  const level = { productNo: 'ISP', username: AGENT.username }
  await core.operator.setPrices(SHELL, { ...level, tiers: [{ minQuantity: 10, price: 4 }] })
  const pays = async (productNo = 'ISP') =>
    (await core.catalog.query(customer, { productNo }))[0]?.tiers.map(
      ({ minQuantity, price }) => `${minQuantity}: ${price / 1e6}`,
    )
  expect(await pays()).toEqual(['1: 4.5'])
  ann.send('/menu')
  await go(
    ann,
    ['💵 Earnings', 'Earnings'],
    [
      '🏷 My prices',
      '🏷 My prices\n\nWhat you pay → what your sub-users pay:\n' +
        '• Residential ISP: 4.50 (10+: 4.00) → 4.50 USD / month\n• Traffic: 3.00 → 15.00 USD / GB ✏️',
    ],
    ['🏷 Markup for everything', 'Everything, for all your sub-users'],
    ['+20 %', '• Residential ISP: 4.50 (10+: 4.00) → 5.40 (10+: 4.80) USD / month'],
  )
  // The traffic has a price of its own, which stays.
  expect(ann.screen().text).not.toContain('Traffic')
  expect(await pays()).toEqual(['1: 4.5'])
  await go(ann, ['✅ Set it', 'For everything: +20 %'])
  expect([await pays(), await pays('FLOW')]).toEqual([['1: 5.4', '10: 4.8'], ['1: 15']])

  await go(ann, ['Residential ISP', 'They pay: 5.40 (10+: 4.80) USD / month'])
  for (const [wrong, problem] of [
    ['dear', 'Please send a markup like 15 %, or prices like'],
    ['20000 %', 'Please send a markup like 15 %, or prices like'],
    ['1: 5, 1: 6', 'The same quantity appears twice'],
    ['901 %', 'The shop allows at most 900 %.'],
    ['1: 45, 10: 45', 'The shop allows at most 40.00.'],
  ] as const) {
    ann.send(wrong)
    await ann.waitFor(problem)
  }
  ann.send('1: 6, 10: 3.5')
  expect((await ann.waitFor('→ 6.00 (10+: 4.00) USD / month')).text).toContain('they pay yours')
  await go(ann, ['✅ Set it', 'The price is set'])
  expect(await pays()).toEqual(['1: 6', '10: 4'])
  // A markup takes the place of all fixed prices of the product.
  await go(ann, ['Residential ISP', 'Set: 1: 6.00, 10: 3.50'])
  ann.send('10%')
  await ann.waitFor('→ 4.95 (10+: 4.40) USD / month')
  await go(ann, ['✅ Set it', 'The price is set'], ['Residential ISP', 'Set: +10 %'])
  await go(ann, ['🗑 Remove it', 'The price is removed'])
  expect(await pays()).toEqual(['1: 5.4', '10: 4.8'])

  ann.send('/users')
  await ann.press(/customer/)
  await go(ann, ['🏷 Prices', 'Nothing is set for customer alone'])
  await go(ann, ['🏷 Markup for everything', 'Everything, for customer'])
  ann.send('12.5')
  await ann.waitFor('→ 5.07 (10+: 4.50) USD / month\n• Traffic: 3.00 → 3.38 USD / GB')
  await go(ann, ['✅ Set it', 'Prices of customer'])
  expect([await pays(), await pays('FLOW')]).toEqual([['1: 5.07', '10: 4.5'], ['1: 3.38']])
  await go(ann, ['‹ Back', 'What you pay → what your sub-users pay'])
  await go(ann, ['👤 Single sub-users (1)', 'prices of their own: 1'], ['👤 customer', 'Prices of customer'])
  // The product is no longer on sale, or the button is forged.
  for (const stale of ['eprs:999', 'eprx:999', 'epr:1:999'])
    expect(await telegram.pressStale(ANN.id, ann.screen().message.messageId, stale)).toMatchObject({
      showAlert: true,
    })
  await core.accounts.deleteSubUser(agent, customer.id)
  expect(await core.earnings.listPrices(agent)).toMatchObject([{ userId: null }, { userId: null }])
})

test('an agent prices what is off sale while its sub-users may renew it, and sees nothing else that is off sale', async () => {
  const shop = await startEarningShop(ANN)
  const { core, boss: ann, agent, customer } = shop
  await core.accounts.adjustSubUserBalance(agent, customer.id, { amount: 100, remark: null })
  await core.operator.editProduct(SHELL, 'FLOW', { enabled: false })
  const orderNo = await buy(shop, customer)
  await core.operator.editProduct(SHELL, 'ISP', { enabled: false })
  ann.send('/earnings')
  await ann.press('🏷 My prices')
  expect(await ann.read('• Residential ISP (⏸ renewals only): 4.50 → 4.50')).not.toContain('Traffic')
  await go(ann, ['⏸ Residential ISP', 'They pay: 4.50 USD / month'])
  ann.send('five')
  await ann.waitFor('Please send a markup like 15 %, or prices like')
  ann.send('5')
  await ann.waitFor('(⏸ renewals only): 4.50 → 5.00')
  await go(ann, ['✅ Set it', 'The price is set'])
  expect(
    await core.orders.quoteRenewal(customer, { order: { orderNo }, duration: 1, unit: 3 }),
  ).toMatchObject({
    totalAmount: 5_000_000,
  })
})

test('a report shows earnings and what refunds took back, as a picture and as a file; in Chinese', async () => {
  const clock = movableClock('2026-03-20T12:00:00.000Z')
  const shop = await startEarningShop(BEN, [], { clock })
  const { core, boss: ben, agent, customer, telegram } = shop
  await core.earnings.setPrice(agent, { productNo: 'ISP', price: 6 })
  await core.accounts.adjustSubUserBalance(agent, customer.id, { amount: 100, remark: null })
  const orderNo = await buy(shop, customer, 2)
  const { instances } = await core.orders.getStatic(customer, { orderNo })
  await core.orders.cancelStatic(customer, { orderNo, instances: [instances[0]?.instanceNo ?? ''] })
  ben.send('/earnings')
  expect((await ben.waitFor('可用：36.00 USD')).text).toContain('待结算：1.50 USD')
  await ben.press('📈 收益报表')
  const report = await ben.waitFor('收益：37.50 USD，共 2 笔\n退款扣回：1.50 USD')
  expect(report.text).toContain(
    '• 流量：36.00 USD，1 笔\n• 住宅静态代理：1.50 USD，1 笔\n\n🟦 收益 · 🟧 退款扣回',
  )
  expect(report.file?.kind).toBe('photo')
  for (const period of ['近 7 天', '本月']) {
    await ben.press(period)
    await ben.waitFor('收益：37.50 USD')
    expect(ben.buttons()).toContain(`✓ ${period}`)
  }
  await ben.press('按用户')
  await ben.waitFor('• customer：37.50 USD，2 笔')
  await ben.press('📄 导出 .csv 文件')
  const { content } = await ben.file(await ben.waitFor('共 4 条记录'))
  const rows = String(content).split('\r\n')
  expect(rows[0]).toBe(
    '\uFEFF时间（UTC）,类型,待结算变动,可用变动,待抵扣变动,变动后待结算,变动后可用,变动后待抵扣,币种,下级用户,产品,订单,提现单',
  )
  expect(rows[1]).toContain(`,退款扣回,-1.50,0.00,0.00,1.50,36.00,0.00,USD,customer,ISP,${orderNo},`)
  await telegram.pressStale(BEN.id, ben.screen().message.messageId, 'erp:never:nobody:99')
  await ben.waitFor('• 流量：36.00 USD')
  clock.advance(31 * 24 * 60 * 60_000)
  ben.send('/earnings')
  await ben.press('📈 收益报表')
  const later = await ben.waitFor('该时间段内没有收益')
  expect(later.text).toContain('此前 30 天：37.50 USD')
  expect(later.file).toBeUndefined()
})
