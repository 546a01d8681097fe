import { expect, test } from 'vitest'
import { startBot } from '../support/bot.ts'
import { supplier } from '../support/supplied-books.ts'
import { offer, testDriver } from '../support/test-driver.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const OPS_ZH = { id: 701, firstName: '小林', languageCode: 'zh' }

async function startShop() {
  const driver = testDriver()
  driver.state.offers = [offer({ offerNo: 'NYC', cityCode: 'USNYC' })]
  const shop = await startBot({ operatorChats: [OPS.id, OPS_ZH.id], drivers: driver.drivers })
  const pricesOf = async (number: string) => {
    const product = (await shop.core.operator.listProducts()).find(({ productNo }) => productNo === number)
    return product?.prices.map(({ scope, username, minQuantity, price }) => [
      username ?? scope,
      minQuantity,
      price / 1e6,
    ])
  }
  return { ...shop, ops: shop.phone(OPS), pricesOf }
}

test('a product in lines takes three presses and one message; a wrong line is named, and the others are kept and shown', async () => {
  const { ops, core, pricesOf, bugs } = await startShop()
  ops.send('/operator')
  await ops.press('🏷 Products')
  await ops.press('➕ New product')
  await ops.waitFor(/What is its number\?[^]*Or everything in one message/)
  for (const [typed, problem] of [
    ['colour: red', 'I do not understand “colour: red”'],
    ['number: A B', 'number: Only letters, digits, _ and - are allowed.'],
    [
      'number: A\nshelf: high\nname: Alpha',
      /number: A\nname: Alpha\n[^]*shelf: send a whole number, such as 10/,
    ],
    [
      'chinese name: 甲\ntype: 103\nprice: 1: 4, 1: 5',
      /What does one cost\?[^]*price: a quantity comes twice/,
    ],
    [
      'colour: red\nprice: 1: 4.50, 10: 4.00',
      /price: 1: 4.50, 10: 4.00\n[^]*I do not understand “colour: red”/,
    ],
    ['pool: dynamic_1', 'pool: required for types 104 and 105'],
  ] as const) {
    ops.send(typed)
    await ops.waitFor(problem)
  }
  await ops.press('Cancel')
  await ops.press('➕ New product')
  ops.send(
    'number: US-ISP\nname: US residential\nchinese name: 美国住宅\nprice: 1: 4.50, 10: 4.00\nperiod: 7 days',
  )
  await ops.waitFor(/Add this product\?/)
  expect(await core.operator.listProducts()).toEqual([])
  await ops.press('✅ Add the product')
  const page = await ops.read('The product is added.')
  expect(page).toContain('Billing period: 7 days')
  expect(page).toContain('Everybody: 1: 4.50, 10: 4.00')
  expect(await pricesOf('US-ISP')).toEqual([
    ['product', 1, 4.5],
    ['product', 10, 4],
  ])
  expect(bugs()).toEqual([])
})

test('a product is asked one thing after the other, shown back and corrected before it is added', async () => {
  const { ops, core, pricesOf, bugs } = await startShop()
  ops.send('/products')
  await ops.press('➕ New product')
  await ops.waitFor('What is its number?')
  ops.send('my number')
  await ops.waitFor('number: Only letters, digits, _ and - are allowed.')
  ops.send('GB-1')
  await ops.waitFor(/number: GB-1[^]*called in English/)
  ops.send('Residential traffic')
  await ops.waitFor('called in Chinese')
  await ops.press('The same name')
  await ops.press('By traffic, overseas')
  await ops.press('dynamic_1')
  await ops.waitFor('Where does its gateway listen')
  ops.send('nowhere')
  await ops.waitFor('must be host:port')
  ops.send('gw.example.com:8000')
  await ops.waitFor('What does one cost?')
  ops.send('cheap')
  await ops.waitFor('price: send a price such as 4.50')
  ops.send('4, 10: 3.50')
  await ops.waitFor('price: send a price such as 4.50')
  ops.send('4')
  await ops.waitFor(
    /Add this product\?[^]*name: Residential traffic\nchinese name: Residential traffic\ntype: 104/,
  )
  ops.send('price: 1: 3, 10: 2.50')
  await ops.waitFor(/Add this product\?[^]*price: 1: 3, 10: 2.50/)
  await ops.press('✅ Add the product')
  await ops.waitFor('The product is added.')
  expect(await core.operator.listProducts()).toMatchObject([{ productNo: 'GB-1', pool: 'dynamic_1' }])
  expect(await pricesOf('GB-1')).toEqual([
    ['product', 1, 3],
    ['product', 10, 2.5],
  ])
  expect(bugs()).toEqual([])
})

test('prices for everybody, a level and one agent: seen before they are set, and removed', async () => {
  const { ops, pricesOf, agent, product, bugs } = await startShop()
  await agent({ name: 'reseller' })
  await product('static')
  ops.send('/operator')
  await ops.press('🏷 Products')
  await ops.press(/static/)
  await ops.press('💲 Prices')
  ops.send('nonsense')
  await ops.waitFor('Please send them like')
  ops.send('nobody 1: 4')
  await ops.press('✅ Set these prices')
  await ops.waitFor('There is no account with this name.')
  await ops.press('Cancel')
  await ops.press('💲 Prices')
  ops.send('Reseller 1: 4.00, 20: 3.5')
  expect(await ops.read(/New prices/)).toMatch(/for Reseller[^]*from 1: 4\.00 USD\n➕ from 20: 3\.50 USD/)
  await ops.press('✅ Set these prices')
  await ops.waitFor('The prices are set.')
  await ops.press('💲 Prices')
  ops.send('level 2 １个：$４．２')
  await ops.press('✅ Set these prices')
  await ops.waitFor('Level 2: 4.20'.replace('4.20', '1: 4.20'))
  await ops.press('💲 Prices')
  ops.send('1: 0, 5: 3')
  await ops.waitFor('At a price of 0, it costs nothing')
  await ops.press('✅ Set these prices')
  await ops.waitFor('The prices are set.')
  expect(await pricesOf('static')).toEqual([
    ['level:2', 1, 4.2],
    ['product', 1, 0],
    ['product', 5, 3],
    ['reseller', 1, 4],
    ['reseller', 20, 3.5],
  ])
  await ops.press('💲 Prices')
  ops.send('reseller 1: 4')
  expect(await ops.read(/New prices/)).toMatch(/▫️ from 1: 4\.00 USD\n🗑 from 20: 3\.50 USD no longer/)
  await ops.press('Cancel')
  await ops.press('💲 Prices')
  ops.send('reseller -')
  await ops.press('🗑 Remove these prices')
  await ops.waitFor('The prices are set.')
  await ops.press('💲 Prices')
  ops.send('-')
  await ops.press('🗑 Remove these prices')
  await ops.waitFor('everybody needs a price from 1 on')
  expect(await pricesOf('static')).toHaveLength(3)
  expect(bugs()).toEqual([])
})

test('a product is changed by the lines that change, taken off sale, and shown by place', async () => {
  const { ops, core, product, stock, bugs } = await startShop()
  await product('static')
  await stock('static', 2)
  ops.send('/products')
  await ops.press(/static/)
  await ops.press('✏️ Change')
  expect(await ops.read('Send only the lines that change')).toContain('low stock: 10')
  ops.send('countries: US')
  await ops.waitFor('countries: only for products sold by traffic')
  ops.send('描述：x')
  await ops.waitFor('I do not understand')
  ops.send('name: Better\n中文说明：很快\nlow stock: 3\nchoose addresses: yes\nreplace: never')
  await ops.waitFor(/Changed\.[^]*Better/)
  expect(await core.operator.listProducts()).toMatchObject([
    {
      names: { en: 'Better' },
      descriptions: { zh: '很快' },
      lowStock: 3,
      assignIpSupported: true,
      replacePolicy: 'never',
      enabled: true,
    },
  ])
  await ops.press('⏸ Stop selling')
  await ops.waitFor('⏸ Not for sale')
  await ops.press('▶️ Sell it')
  await ops.waitFor('▶️ For sale')
  await ops.press('📥 By place')
  expect((await ops.waitFor(/United States: 2 · held\u00a00/)).text).toMatch(
    /^🏷 [^\n]+ \([^\n]+\)\n📥 By place\n/,
  )
  expect(bugs()).toEqual([])
})

test('in Chinese the lists of a form have Chinese commas, and come back as they were', async () => {
  const { phone, core, product, bugs } = await startShop()
  await product('traffic', { proxyType: 104, pool: 'dynamic_1', countries: ['US', 'GB'] })
  const zh = phone(OPS_ZH)
  zh.send('/products')
  await zh.press(/traffic/)
  await zh.press('✏️ 修改')
  const form = await zh.read('只需发送要修改的行')
  expect(form).toContain('国家：US、GB\n城市：-')
  expect(form).toContain('还可以设置：英文名称、中文名称、')
  zh.send('国家：US、GB、DE\n城市：USNYC、GBLON')
  await zh.waitFor('已修改')
  expect(await core.operator.listProducts()).toMatchObject([
    { countries: ['US', 'GB', 'DE'], cities: ['USNYC', 'GBLON'] },
  ])
  expect(bugs()).toEqual([])
})

test('an offer of a supplier becomes a product; in Chinese as well', async () => {
  const shop = await startShop()
  await supplier(shop, 'acme')
  const zh = shop.phone(OPS_ZH)
  zh.send('/suppliers')
  await zh.press('acme')
  await zh.press('📦 货源')
  await zh.press(/·/)
  await zh.press('🏷 作为产品销售')
  await zh.waitFor(/供应商：acme[^]*产品编号/)
  zh.send('编号：NYC\n中文名称：纽约\n利润率：20\n价格：5')
  // The price is left out, and the rest is kept.
  await zh.waitFor(/添加这个产品？[^]*利润率：20\n[^]*价格：价格和利润只能选一种/)
  await zh.press('✅ 添加产品')
  await zh.waitFor(/产品已添加。[^]*供应商：acme/)
  const [, product] = await shop.core.operator.listProducts()
  expect(product).toMatchObject({
    productNo: 'NYC',
    names: { en: '纽约', zh: '纽约' },
    supplier: 'acme',
    marginBps: 2000,
    places: [{ offerNo: 'NYC' }],
  })
  expect(shop.bugs()).toEqual([])
})
