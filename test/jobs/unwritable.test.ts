import { expect, test, vi } from 'vitest'
import { actorFor } from '../support/notices.ts'
import { startProduct } from '../support/product.ts'
import { PATIENCE } from '../support/patience.ts'
import { waitingOrder } from './waiting-order.ts'

test('A job that could not be given back is carried out soon after the database can be written again', async () => {
  const product = await startProduct()
  const customer = await actorFor(product)
  const becomeWritable = [
    await product.crash('BEFORE UPDATE', 'static_orders'),
    await product.crash('BEFORE UPDATE OF run_at', 'jobs'),
  ]
  const untilCompleted = await waitingOrder(product, customer)
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
