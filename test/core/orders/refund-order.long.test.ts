import fc from 'fast-check'
import { it } from 'vitest'
import { refundsAndReleases } from './sold-order.ts'

it('refunds and releases in any order never give back more than was paid', () =>
  fc.assert(refundsAndReleases, { numRuns: 15 }))
