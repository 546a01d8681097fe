import { expect, it } from 'vitest'
import { joinTokenIn } from '../../src/core/accounts/join-links.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorFor } from '../support/notices.ts'
import { AGENT, ANN, startProduct } from '../support/product.ts'

it('who is not logged in sees prices and registers where the shop is open to everybody, and finds support', async () => {
  const product = await startProduct()
  const agent = await actorFor(product, AGENT)
  await product.core.operator.addProduct(SHELL, {
    productNo: 'FLOW',
    names: { en: 'Dynamic residential', zh: '动态住宅代理' },
    descriptions: { en: 'Rotating and sticky, by the GB.' },
    price: 3,
    proxyType: 104,
    pool: 'dynamic_1',
    gateway: 'gw.example.com:8000',
  })
  await product.core.earnings.setPrice(agent, { productNo: 'ISP', price: 6 })
  const ann = product.phone(ANN)
  ann.send('/start')
  await ann.waitFor('Log in with the username and password that you were given')
  expect(ann.buttons()).not.toContain('🏷 Prices')

  const link = await product.core.accounts.createJoinLink(agent, {})
  await product.stop()
  await product.start({
    registrationLink: joinTokenIn(link.start),
    supportContact: 'https://t.me/shop_support',
  })
  ann.send('/start')
  await ann.waitFor('or register')
  expect(ann.buttons()).toEqual([
    '🔑 Log in',
    '📝 Register',
    '🏷 Prices',
    '📖 How to use it',
    '🌐 Language',
    '❓ Help',
    '💬 Support',
  ])
  await ann.press('🏷 Prices')
  const prices = await ann.read('Residential ISP')
  // What the agent takes, not what it pays itself.
  expect(prices).toContain('Residential ISP: 6.00 USD / month\n🇺🇸 US')
  expect(prices).toContain('Dynamic residential: 3.00 USD / GB\nRotating and sticky, by the GB.')
  await ann.press('📝 Register')
  await ann.waitFor('agent invites you')
  ann.send('newcomer')
  await ann.waitFor('password')
  ann.send('a-password')
  await ann.waitFor('👤 newcomer')

  await product.core.accounts.revokeJoinLink(agent, link.id)
  ann.send('/logout')
  await ann.press('Log out')
  await ann.waitFor('Log in with the username and password that you were given')
  expect(ann.buttons()).not.toContain('🏷 Prices')
})
