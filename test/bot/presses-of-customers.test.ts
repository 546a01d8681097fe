import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { Phone } from '../support/phone.ts'
import { ANN } from '../support/product.ts'
import { startUsdtProduct } from '../support/usdt-product.ts'

/** Presses from the main menu until the message comes that tells the end. */
async function pressesFromHome(ann: Phone, labels: readonly (string | RegExp)[], end: string | RegExp) {
  ann.send('/menu')
  await ann.waitFor('Main menu')
  for (const label of labels) await ann.press(label)
  await ann.waitFor(end)
  return labels.length
}

test('what a customer does every day takes the presses that docs/features.md tells', async () => {
  const shop = await startUsdtProduct({ publicUrl: 'https://shop.example.com' })
  await shop.core.operator.addProduct(SHELL, {
    productNo: 'FLOW',
    names: { en: 'Dynamic', zh: '动态代理' },
    price: 3,
    proxyType: 104,
    pool: 'dynamic_2',
    gateway: 'gw.example.com:8000',
  })
  await shop.core.operator.adjustBalance(SHELL, { username: 'customer', amount: 100, remark: 'test' })
  const ann = await shop.memberPhone(ANN)
  const buy = '🛒 Buy proxies'
  const five = await pressesFromHome(ann, [buy, '5', /^✅ Buy for/], 'Order accepted')
  await ann.waitFor('Your proxies are ready (5)')
  const same = await pressesFromHome(ann, [buy, /^✅ Buy for/], 'Order accepted')
  await ann.waitFor('Your proxies are ready (5)')

  const inTwoDays = new Date(shop.clock.now().getTime() + 2 * 86_400_000).toISOString()
  await shop.product.edit('UPDATE static_orders SET created_at = ?', '2026-01-01T00:00:00.000Z')
  await shop.product.edit('UPDATE instances SET expire_time = ? WHERE id <= 2', inTwoDays)
  const proxies = '📦 My proxies'
  const renewal = await pressesFromHome(ann, [proxies, '🔁 Renew', /^✅ Renew 2/], 'Renewed and paid: 2')
  const link = await pressesFromHome(ann, [proxies, /Export/, /As link/, /Text/], 'https://shop.example.com')

  const traffic = '📶 Traffic'
  const bought = await pressesFromHome(
    ann,
    [traffic, /^Dynamic/, '🛒 Buy traffic', /^✅ Buy for/],
    '1 GB bought',
  )
  ann.send('/traffic')
  await ann.press(/^Dynamic/)
  await ann.press('🔌 Get proxies')
  ann.send('10个')
  await ann.waitFor('Quantity: 10')
  ann.send('30 minutes')
  await ann.waitFor('for 30 minutes')
  await ann.press('✅ Get 10 here')
  await ann.waitFor('Your 10 proxies')
  const sticky = await pressesFromHome(ann, [traffic, /^⚡ 10 · .*30 min/], 'Your 10 proxies')
  const topUp = await pressesFromHome(ann, ['💳 Top up', '20 USDT'], 'Waiting for your payment')
  expect({ five, same, renewal, link, bought, sticky, topUp }).toEqual({
    five: 3,
    same: 2,
    renewal: 3,
    link: 4,
    bought: 4,
    sticky: 2,
    topUp: 2,
  })
  expect(await shop.core.operator.audit()).toEqual([])
})
