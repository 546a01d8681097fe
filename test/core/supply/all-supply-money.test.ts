import fc from 'fast-check'
import { it } from 'vitest'
import { allSupplyMoney } from './all-supply-money.ts'

it('Whatever is bought, renewed, released, replaced and goes wrong at a supplier, in whatever order: each call costs what the supplier took, and the books hold', async () => {
  // Shrinking ends in time for the seed to be printed.
  await fc.assert(allSupplyMoney, { numRuns: 1, interruptAfterTimeLimit: 60_000 })
})
