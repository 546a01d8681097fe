import { expect, test } from 'vitest'
import { RECEIPTS } from '../../src/bot/actions/receipts.ts'
import { textsOf } from '../../src/bot/texts/index.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { toPng, WRITING } from '../../src/bot/kit/charts/png.ts'
import { receiptSvg } from '../../src/bot/topics/receipts/receipt-picture.ts'
import { wrapped } from '../../src/bot/kit/columns.ts'
import { orderReceipt } from '../../src/bot/topics/receipts/receipts.ts'
import { buyStatic } from '../support/bought.ts'
import { AGENT, ANN, CUSTOMER, startProduct } from '../support/product.ts'
import { unitsOf } from '../support/top-ups.ts'
import { askedIn, startUsdtProduct } from '../support/usdt-product.ts'

const TRAFFIC = {
  productNo: 'FLOW',
  names: { en: 'Dynamic residential', zh: '动态住宅代理' },
  price: 3,
  proxyType: 104,
  pool: 'dynamic_1',
  gateway: 'gw.example.com:8000',
} as const
const PNG = 'image/png'

test('orders, traffic and top-ups have a receipt, which nobody else gets', async () => {
  const shop = await startUsdtProduct()
  const ann = await shop.memberPhone(ANN)
  const receipt = async (number: string) => {
    const message = await ann.waitFor(({ text }) => text.startsWith('🧾 Receipt') && text.includes(number))
    expect((await ann.file(message)).mimeType).toBe(PNG)
  }
  const customer = await buyStatic(shop, CUSTOMER, [2])
  const { items } = await shop.core.orders.listStatic(customer, {})
  const [order] = items
  ann.send('/orders')
  await ann.press(/2 × /)
  // The button is answered before the picture is there.
  expect(await ann.press('🧾 Receipt')).toMatchObject({ text: 'Your receipt is coming.' })
  await receipt(order?.orderNo ?? '')

  await shop.core.operator.addProduct(SHELL, TRAFFIC)
  const { order: flow } = await shop.core.orders.createDynamic(customer, { poolId: 'FLOW', trafficAmount: 2 })
  ann.send('/traffic')
  await ann.press('🧾 Traffic orders')
  await ann.press(/2 GB/)
  await ann.press('🧾 Receipt')
  await receipt(flow.orderNo)

  ann.send('/topup')
  await ann.press('20 USDT')
  const asked = await ann.waitFor(/Waiting for your payment/)
  const [topUp] = (await shop.core.topUps.list(customer, {})).items
  // A forged press.
  const early = await shop.telegram.pressStale(
    ANN.id,
    asked.messageId,
    RECEIPTS.topUp.data({ orderNo: topUp?.orderNo ?? '' }),
  )
  expect(early.text).toBe('There is a receipt as soon as the payment has been credited.')
  shop.tron.chain.transfer({ units: unitsOf(askedIn(asked.text)) })
  await shop.pass(80_000)
  await ann.waitFor(({ messageId, text }) => messageId === asked.messageId && text.includes('Paid'))
  await ann.press('🧾 Receipt')
  await receipt(topUp?.orderNo ?? '')

  // Its agent may see it, and the customer nothing of the agent.
  const agent = await buyStatic(shop, AGENT, [1])
  const [others] = (await shop.core.orders.listStatic(agent, { userId: agent.id })).items
  const data = RECEIPTS.order.data({ id: others?.id ?? 0 })
  const refused = await shop.telegram.pressStale(ANN.id, asked.messageId, data)
  expect(refused.text).toBe('This order does not exist.')
})

test('a receipt adds up what was paid: renewals are added, refunds taken off, discounts shown', async () => {
  const product = await startProduct()
  const { core } = product
  const customer = await buyStatic(product, CUSTOMER, [2])
  const [bought] = (await core.orders.listStatic(customer, {})).items
  if (!bought) throw new Error('there is no order')
  const texts = textsOf({ chatId: 1, language: 'en', timeZone: 'UTC' })
  const view = {
    texts,
    language: 'en',
    currency: 'USD',
    now: core.now(),
    support: await core.support.way(),
  } as const
  expect(orderReceipt(view, bought).total).toEqual(['Total paid', '9.00 USD'])
  const MICROS = 1_000_000
  const changed = {
    ...bought,
    totalAmount: 8 * MICROS,
    discount: MICROS,
    promoCode: 'SPRING',
    renewedAmount: 4.5 * MICROS,
    refundedAmount: 2.25 * MICROS,
  }
  const { rows, total } = orderReceipt(view, changed)
  expect(rows.slice(-4)).toEqual([
    ['Price', '9.00 USD'],
    ['Discount (SPRING)', '-1.00 USD'],
    ['Renewals', '4.50 USD'],
    ['Refunded', '-2.25 USD'],
  ])
  expect(total).toEqual(['Total paid', '10.25 USD'])
})

test('a joined emoji that is wider than a line ends the cutting', () => {
  const wide = Array.from({ length: 20 }, () => '👩').join('\u200d')
  expect(wrapped(wide, 34)).toEqual([wide])
  expect(wrapped(`${wide} a b`, 34)).toEqual([wide, 'a b'])
})

test('a receipt holds what people wrote, however long, and nothing that is no text', async () => {
  const svg = receiptSvg(
    {
      number: 'SO1',
      rows: [
        ['Product', `<Residential> & "dynamic" 🇺🇸🚀 \u0007${'住宅代理 '.repeat(20)}`],
        ['Transaction', 'f'.repeat(64)],
      ],
      total: ['Total', '1.00 USD'],
    },
    'Receipt',
    'Shop',
  )
  expect(svg).toContain('&lt;Residential&gt; &amp; "dynamic"')
  expect(svg.replaceAll('\n', '')).not.toMatch(/\p{Cc}|🇺|🚀/u)
  // Only what is Chinese is drawn by the Chinese font, which takes long.
  expect(svg).toContain('<tspan font-family="Noto Sans S Chinese">住宅代理</tspan>')
  expect(svg.match(/<tspan [^>]*>[^<]*[a-z0-9][^<]*<\/tspan>/i)).toBeNull()
  const drawn = [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(([, line]) => line ?? '')
  expect(drawn.filter((line) => /^f+$/.test(line)).map(({ length }) => length)).toEqual([28, 28, 8])
  expect(
    Buffer.from(await toPng(svg, WRITING), 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
})
