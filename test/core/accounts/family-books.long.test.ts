import fc from 'fast-check'
import { it } from 'vitest'
import { familyBooks } from './family-books.ts'

it.each(['transfer', 'mint'] as const)(
  'Whatever an agent with %s funding and its users do, in whatever order and at the same time, the books balance',
  (funding) => fc.assert(familyBooks(funding), { numRuns: 8 }),
)
