import fc from 'fast-check'
import { it } from 'vitest'
import { booksBalance } from './books-in-any-order.ts'

it('whatever happens, in whatever order and at the same time: the books balance', () =>
  fc.assert(booksBalance, { numRuns: 12 }))
