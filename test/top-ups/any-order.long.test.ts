import fc from 'fast-check'
import { it } from 'vitest'
import { anyOrder } from './any-order.ts'

it('Whatever is paid, cancelled, decided and read in whatever order and at once: every transfer is credited once, or somebody knows why not', async () => {
  // Shrinking ends in time for the seed to be printed.
  await fc.assert(anyOrder, { numRuns: 8, interruptAfterTimeLimit: 180_000 })
})
