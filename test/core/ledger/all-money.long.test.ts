import fc from 'fast-check'
import { it } from 'vitest'
import { allMoney } from './all-money.ts'

it('Whatever moves money, in whatever order, at once, refused, repeated or killed: every balance is its entries, and the audit holds', async () => {
  // Shrinking ends in time for the seed to be printed.
  await fc.assert(allMoney, { numRuns: 7, interruptAfterTimeLimit: 180_000 })
})
