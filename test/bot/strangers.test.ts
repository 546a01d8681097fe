import { expect, it } from 'vitest'
import { LOCALES } from '../../src/bot/texts/index.ts'
import { type Shown, windowPicture } from '../../src/bot/topics/log-in/window-picture.ts'
import { joinTokenIn } from '../../src/core/accounts/join-links.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { buyStatic } from '../support/bought.ts'
import { actorFor } from '../support/notices.ts'
import { AGENT, ANN, BEN, CUSTOMER, startProduct } from '../support/product.ts'

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

it('the picture of the window shows the three products that the latest orders are for, the most ordered first', async () => {
  const product = await startProduct()
  const { core } = product
  const flows = ['FLOW1', 'FLOW2', 'FLOW3'] as const
  for (const [at, productNo] of flows.entries())
    await core.operator.addProduct(SHELL, {
      productNo,
      names: { en: productNo, zh: productNo },
      price: 1 + at,
      proxyType: 104,
      pool: 'dynamic_1',
      gateway: 'gw.example.com:8000',
    })
  const link = await core.accounts.createJoinLink(await actorFor(product, AGENT), {})
  const customer = await buyStatic(product, CUSTOMER, [1])
  const buy = async (poolId: (typeof flows)[number], times: number) => {
    for (let time = 0; time < times; time += 1)
      await product.core.orders.createDynamic(customer, { poolId, trafficAmount: 1 })
  }
  await product.stop()
  await product.start({ registrationLink: joinTokenIn(link.start) })

  const ann = product.phone(ANN)
  const isp = { name: 'Residential ISP', price: '4.50 USD / month', countries: ['United States'] }
  const flow = (at: 1 | 2 | 3) => ({
    name: `FLOW${at}`,
    price: `${at}.00 USD / GB`,
    countries: ['Worldwide'],
  })
  const expectPictured = async (...shown: readonly Shown[]) => {
    ann.send('/start')
    const message = await ann.waitFor('One press and you can buy')
    expect(message.text).toMatch(/Residential ISP[^]*FLOW1[^]*FLOW2[^]*FLOW3/)
    const expected = await windowPicture(product.telegram.botUsername, shown, LOCALES.en.list)
    expect((await ann.file(message)).content.toString('base64')).toBe(expected)
  }
  await expectPictured(isp, flow(1), flow(2))
  await buy('FLOW3', 3)
  await buy('FLOW2', 2)
  await expectPictured(flow(3), flow(2), isp)
  await buy('FLOW1', 4)
  await expectPictured(flow(1), flow(3), flow(2))

  // A thousand orders later nobody counts what was ordered before them.
  await product.edit(
    `INSERT INTO dynamic_orders (order_no, caller_id, app_order_no, request_hash, user_id, product_id, traffic_bytes, unit_price,
       total_amount, created_at, updated_at)
     WITH RECURSIVE planted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM planted WHERE n < 1000)
     SELECT 'D' || (100000 + n), caller_id, 'planted-' || n, request_hash, user_id, product_id, traffic_bytes, unit_price,
       total_amount, created_at, updated_at
     FROM planted, dynamic_orders WHERE id = (SELECT min(id) FROM dynamic_orders)`,
  )
  await expectPictured(flow(3), isp, flow(1))
})
