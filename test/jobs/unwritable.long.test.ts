import { expect, test, vi } from 'vitest'
import { actorFor } from '../support/notices.ts'
import { startProduct } from '../support/product.ts'
import { PATIENCE } from '../support/patience.ts'
import { waitingOrder } from './waiting-order.ts'

test('While the database cannot be written, the loop tries what is due once a second, and fills no log', async () => {
  const product = await startProduct()
  const customer = await actorFor(product)
  const becomeWritable = await product.crash('BEFORE UPDATE', 'jobs')
  const untilCompleted = await waitingOrder(product, customer)
  const times = () =>
    product.log
      .filter((line) => line.includes('the job loop could not do its round'))
      .map((line) => (JSON.parse(line) as { time: number }).time)
  // The second one is told a minute later, with how often it was so.
  await vi.waitUntil(() => times().length >= 3, PATIENCE)
  const [first = 0, , third = 0] = times()
  expect(third - first).toBeGreaterThan(900)
  await becomeWritable()
  await untilCompleted()
})
