import fc from 'fast-check'
import { it } from 'vitest'
import { trafficBooksBalance } from './books-in-any-order.ts'

it('whatever is bought, used, allocated, taken back and deleted, in whatever order and at once: the books balance', () =>
  fc.assert(trafficBooksBalance, { numRuns: 15 }))
