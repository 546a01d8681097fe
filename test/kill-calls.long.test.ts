import { expect, test } from 'vitest'
import { killAt, STEPS_OF_CALL, STEPS_OF_RELEASE } from './support/kill-steps.ts'
import { openSuppliedShopToKill } from './support/supplied-shop-to-kill.ts'

test('a kill at any step of a purchase or a replacement buys each proxy once, and swaps it once', async () => {
  const shop = await openSuppliedShopToKill()
  const { supplier, rows, order, proxies, api, balance } = shop
  const running = () => supplier.instances().filter(({ status }) => status === 3)
  /** Expects that the proxies of an order are those that the supplier runs for it. */
  const expectRunning = async (orderNo: string, count: number, label: string) => {
    const known = running().map(({ instanceNo, ip, username, password }) =>
      [instanceNo, ip, username, password].join(' '),
    )
    const held = (await proxies(orderNo)).filter(({ providerInstanceNo, ip, username, password, status }) => {
      expect(status).toBe('active')
      return known.includes([providerInstanceNo, ip, username, password].join(' '))
    })
    expect([label, held.length]).toEqual([label, count])
  }

  for (const step of STEPS_OF_CALL) await killAt(shop, step, 'open', () => order(2))
  const bought = await rows<{ orderNo: string; status: string }>(
    'SELECT order_no AS "orderNo", status FROM static_orders ORDER BY id',
  )
  expect(bought.map(({ status }) => status)).toEqual(STEPS_OF_CALL.map(() => 'active'))
  for (const [index, { orderNo }] of bought.entries())
    await expectRunning(orderNo, 2, STEPS_OF_CALL[index] ?? '')
  expect(await balance()).toBe(1_000 - bought.length * 2 * 4)

  const replaceable = (await Promise.all(bought.map(({ orderNo }) => proxies(orderNo)))).flat()
  const replace = () => {
    const { instanceNo } = replaceable.pop() ?? { instanceNo: '-' }
    return api(`/open/app/static/instances/${instanceNo}/replace`, { reason: 'does not connect' })
  }
  for (const step of STEPS_OF_CALL) await killAt(shop, step, 'open', replace)
  for (const step of STEPS_OF_RELEASE) await killAt(shop, step, 'release', replace, 2)
  const replacements = await rows<{ status: string }>('SELECT status FROM replacements')
  expect(replacements).toEqual([...STEPS_OF_CALL, ...STEPS_OF_RELEASE].map(() => ({ status: 'done' })))
  for (const { orderNo } of bought) await expectRunning(orderNo, 2, 'after replacements')
  expect(running()).toHaveLength(bought.length * 2)
  expect(await balance()).toBe(1_000 - bought.length * 2 * 4)
  await shop.proven()
})
