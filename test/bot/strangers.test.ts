import { expect, it } from 'vitest'
import { joinTokenIn } from '../../src/core/accounts/join-links.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorFor } from '../support/notices.ts'
import { AGENT, ANN, BEN, startProduct } from '../support/product.ts'

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
  const closed = await ann.read('Log in with the username and password that you were given')
  expect(closed).toContain('Residential ISP 🇺🇸\nDynamic residential 🌍')
  expect(closed).not.toContain('USD')
  expect(ann.screen().message.file).toBeUndefined()
  expect(ann.buttons()).not.toContain('🏷 Prices')

  const link = await product.core.accounts.createJoinLink(agent, {})
  await product.stop()
  await product.start({
    registrationLink: joinTokenIn(link.start),
    supportContact: 'https://t.me/shop_support',
  })
  ann.send('/start')
  // What the agent takes, not what it pays itself.
  expect(await ann.read('One press and you can buy')).toContain(
    'Residential ISP: 6.00 USD / month 🇺🇸\nDynamic residential: 3.00 USD / GB 🌍',
  )
  expect(ann.screen().message.file).toMatchObject({ kind: 'photo', width: 800 })
  expect(ann.screen().keyboard).toEqual([
    ['✅ Register as ann'],
    ['🔑 Log in', '✏️ Other name'],
    ['🏷 Prices', '🌐 Language'],
    ['📖 How to use it'],
    ['❓ Help', '💬 Support'],
  ])
  await ann.press('🏷 Prices')
  const prices = await ann.read('Residential ISP')
  expect(prices).toContain('Residential ISP: 6.00 USD / month\n🇺🇸 US')
  expect(prices).toContain('Dynamic residential: 3.00 USD / GB\nRotating and sticky, by the GB.')
  await ann.press('📝 Register')
  // Another link that has ended says so, and shows what can be bought by this one.
  ann.send('/start join_made-up')
  expect(await ann.read('no longer valid')).toContain('6.00 USD / month')
  await ann.press('✅ Register as ann')
  await ann.waitFor('👤 ann')

  // From the first message to the shop it is one press.
  const ben = product.phone(BEN)
  ben.send('/start')
  await ben.press('✅ 注册为 ben')
  await ben.waitFor('👤 ben')

  await product.core.accounts.revokeJoinLink(agent, link.id)
  ann.send('/logout')
  await ann.press('Log out')
  await ann.waitFor('Log in with the username and password that you were given')
  expect(ann.buttons()).not.toContain('🏷 Prices')
})
