import fc from 'fast-check'
import { it } from 'vitest'
import { anyOrder } from './any-order.ts'

it('in whatever order: agents and customers have no more than came in, and what the shop gave by its own codes', async () => {
  // Shrinking ends in time for the seed to be printed.
  await fc.assert(anyOrder, { numRuns: 6, interruptAfterTimeLimit: 30_000 })
})
