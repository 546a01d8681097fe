import { expect, test, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT, startProduct } from '../support/product.ts'
import { delivers, scriptedSupplier } from '../support/scripted-supplier.ts'
import { movableClock } from '../support/service.ts'
import { PATIENCE } from '../support/patience.ts'

const HOUR = 3_600_000

test('The loop goes on whatever the clock does, and what ends ends once', async () => {
  const clock = movableClock('2026-10-25T00:30:00.000Z')
  const slow = scriptedSupplier({ status: 'pending', retryAfterMs: 10 * 60_000 }, delivers(1))
  const product = await startProduct({ clock, suppliers: { slow } })
  const { core } = product
  await core.operator.addProduct(SHELL, { productNo: 'SLOW', names: { en: 'Slow', zh: 'Slow' }, price: 1 })
  await product.edit("UPDATE products SET supplier = 'slow' WHERE product_no = 'SLOW'")
  await product.edit("INSERT INTO locations (product_id, country_code) SELECT max(id), 'US' FROM products")
  const logIn = async () => (await core.accounts.logIn({ ...AGENT, address: 'test' })).token
  const numbers: string[] = []
  const order = async (poolId: 'ISP' | 'SLOW') => {
    const buyer = await core.accounts.authenticate(await logIn())
    const terms = { poolId, userId: buyer.id, ipCount: 1, duration: 1, unit: 3 } as const
    const { orderNo } = await core.orders.createStatic(buyer, terms)
    numbers.push(orderNo)
    return orderNo
  }
  const completed = (orderNo: string) =>
    product.until(`SELECT 1 FROM static_orders WHERE order_no = '${orderNo}' AND status = 'active'`)
  await completed(await order('ISP'))
  const token = await logIn()

  // What was to be asked again in ten minutes is not left for an hour and ten.
  const pending = await order('SLOW')
  await vi.waitUntil(() => slow.asked.length === 1, PATIENCE)
  clock.advance(-HOUR)
  await completed(await order('ISP'))
  await completed(pending)

  clock.advance(26 * HOUR)
  await expect(core.accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_invalid' })
  await completed(await order('ISP'))

  clock.advance(400 * 24 * HOUR)
  await completed(await order('ISP'))
  await product.until("SELECT 1 WHERE (SELECT count(*) FROM static_orders WHERE status = 'expired') = 4")
  expect(new Set(numbers).size).toBe(5)
  expect(await core.operator.audit()).toEqual([])
})
