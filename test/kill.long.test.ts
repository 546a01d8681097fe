import { it } from 'vitest'
import { proveKillsUnderLoad } from './support/kills-under-load.ts'

it('a kill at any moment loses nothing and doubles nothing: orders, renewals, cancellations, what time brings about, notices; the books are right', () =>
  proveKillsUnderLoad(4))
