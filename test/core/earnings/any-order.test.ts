import fc from 'fast-check'
import { it } from 'vitest'
import { anyOrder } from './any-order.ts'

it('in whatever order: income of the shop is the price of agents, earnings are what was paid above', async () => {
  // Shrinking ends in time for the seed to be printed.
  await fc.assert(anyOrder, { numRuns: 2, interruptAfterTimeLimit: 30_000 })
})
