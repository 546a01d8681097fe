import { it } from 'vitest'
import { proveKillsUnderLoad } from './support/kills-under-load.ts'

// Orders of the first round are what time and customers change in the second one.
it('a kill at any moment loses nothing and doubles nothing: orders, renewals, cancellations, what time brings about, notices; the books are right', () =>
  proveKillsUnderLoad(2))
