import { expect, test, vi } from 'vitest'
import type { Actor } from '../../src/core/access.ts'
import { actorFor } from '../support/notices.ts'
import { startProduct } from '../support/product.ts'
import { PATIENCE } from '../support/patience.ts'

/** Orders a proxy; the function waits until it is handed over. */
async function order({ core, until }: Awaited<ReturnType<typeof startProduct>>, customer: Actor) {
  const { orderNo } = await core.orders.createStatic(customer, {
    poolId: 'ISP',
    userId: customer.id,
    ipCount: 1,
    duration: 1,
    unit: 3,
  })
  return () => until(`SELECT 1 FROM static_orders WHERE order_no = '${orderNo}' AND status = 'active'`)
}

test('While the database cannot be written, the loop tries what is due once a second, and fills no log', async () => {
  const product = await startProduct()
  const customer = await actorFor(product)
  const becomeWritable = await product.crash('BEFORE UPDATE', 'jobs')
  const untilCompleted = await order(product, customer)
  const times = () =>
    product.log
      .filter((line) => line.includes('the job loop could not do its round'))
      .map((line) => (JSON.parse(line) as { time: number }).time)
  await vi.waitUntil(() => times().length >= 3, PATIENCE)
  const [first = 0, , third = 0] = times()
  expect(third - first).toBeGreaterThan(900)
  await becomeWritable()
  await untilCompleted()
})

test('A job that could not be given back is carried out soon after the database can be written again', async () => {
  const product = await startProduct()
  const customer = await actorFor(product)
  const becomeWritable = [
    await product.crash('BEFORE UPDATE', 'static_orders'),
    await product.crash('BEFORE UPDATE OF run_at', 'jobs'),
  ]
  const untilCompleted = await order(product, customer)
  await vi.waitUntil(
    () => product.log.some((line) => line.includes('a job could not be given back')),
    PATIENCE,
  )
  for (const become of becomeWritable) await become()
  const writable = performance.now()
  await untilCompleted()
  // Long before the lease of a minute runs out.
  expect(performance.now() - writable).toBeLessThan(30_000)
})
