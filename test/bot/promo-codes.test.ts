import { expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT, ANN, startProduct } from '../support/product.ts'

async function shop() {
  const product = await startProduct()
  const { core } = product
  await core.operator.addProduct(SHELL, {
    productNo: 'DYN-1',
    nameEn: 'Dynamic 1',
    nameZh: '动态代理 1',
    proxyType: 104,
    pool: 'dynamic_2',
    gateway: 'gw.proxy.example:8001',
    price: 3,
  })
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  const agent = await core.accounts.authenticate(token)
  await core.earnings.setPrice(agent, { markupPercent: 100 })
  return { ...product, core, agent }
}

it('a code lowers the price of proxies on the confirm screen, and can be taken off again', async () => {
  const { core, agent, memberPhone } = await shop()
  await core.promotions.create(agent, { code: 'SPRING', percent: 10, maxUsesPerUser: 1 })
  await core.operator.promotions.add(SHELL, { code: 'TRAFFIC', amount: 1, products: ['DYN-1'] })
  const ann = await memberPhone(ANN)
  const choose = async () => {
    ann.send('/buy')
    await ann.waitFor('Which product?')
    await ann.press(/Residential ISP/)
    await ann.press('1 month')
    await ann.press('2')
    await ann.waitFor('Total: 18.00 USD')
  }
  await choose()
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('nothing')
  await ann.waitFor('I do not know this promotion code.')
  ann.send('traffic')
  await ann.waitFor('This promotion code is for other products.')
  ann.send('spring')
  expect(await ann.read('Total: 16.20 USD')).toContain('🎟 SPRING: −1.80 USD\nTotal: 16.20 USD')
  await ann.press('✖️ Without the code')
  expect(await ann.read('Total: 18.00 USD')).not.toContain('SPRING')
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('Spring')
  await ann.waitFor('Total: 16.20 USD')
  await ann.press('✅ Buy for 16.20 USD')
  await ann.waitFor('Your proxies are ready')
  await ann.press('📦 Open the order')
  expect(await ann.read('✅ Active')).toContain('🎟 SPRING: −1.80 USD')

  // The code belongs to that purchase only; and what cannot be used any more is taken off, and said.
  await choose()
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('SPRING')
  await ann.waitFor('used as often as one customer may')
  await core.promotions.create(agent, { code: 'SUMMER', amount: 5 })
  ann.send('SUMMER')
  await ann.waitFor('Total: 13.00 USD')
  await core.promotions.stop(agent, 'SUMMER')
  await ann.press('✅ Buy for 13.00 USD')
  expect(await ann.read('Total: 18.00 USD')).toContain('⚠️ This promotion code has ended.')
  expect(await core.operator.audit()).toEqual([])
})

it('a code lowers the price of traffic, until another purchase begins', async () => {
  const { core, memberPhone } = await shop()
  await core.operator.promotions.add(SHELL, { code: 'A'.repeat(32), percent: 50, maxUses: 1 })
  const ann = await memberPhone(ANN)
  await ann.press('📶 Dynamic traffic')
  await ann.press('Dynamic 1')
  await ann.press('🛒 Buy traffic')
  await ann.press('5 GB · 30.00 USD')
  await ann.waitFor('Total: 30.00 USD')
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('wrong')
  await ann.waitFor('I do not know this promotion code.')
  ann.send('a'.repeat(32))
  await ann.waitFor('Total: 15.00 USD')
  await ann.press('✖️ Without the code')
  await ann.waitFor('Total: 30.00 USD')
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('a'.repeat(32))
  await ann.waitFor('Total: 15.00 USD')
  await ann.press('✅ Buy for 15.00 USD')
  expect(await ann.read('5 GB bought')).toContain(`🎟 ${'A'.repeat(32)}: −15.00 USD\nTotal: 15.00 USD`)
  await ann.press('🔁 Buy more')
  await ann.press('5 GB · 30.00 USD')
  await ann.waitFor('Total: 30.00 USD')
  await ann.press('🎟 Promotion code')
  await ann.waitFor('Which promotion code?')
  ann.send('a'.repeat(32))
  await ann.waitFor('This promotion code is used up.')
  expect(await core.operator.audit()).toEqual([])
})
