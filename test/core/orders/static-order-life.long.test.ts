import fc from 'fast-check'
import { it } from 'vitest'
import { booksBalance } from './static-order-life-in-any-order.ts'

it('whatever happens to orders, in whatever order, with whatever clock: the books balance, refunds never exceed charges, and no address is used twice', () =>
  fc.assert(booksBalance, { numRuns: 15 }))
