import { test } from 'vitest'
import { SEED } from '../../support/seed.ts'
import { proveHistories } from './gateway-books.ts'

test(`what is used is the sum of all batches, whatever is repeated and moved between them (seed ${SEED})`, () =>
  proveHistories(6))
