import { test } from 'vitest'
import { SEED } from '../support/seed.ts'
import { fuzz } from './fuzzed-requests.ts'

test.each(['/a/api', '/b/api'])(
  `Whatever is asked of %s, the answer is as documented and the books balance (seed ${SEED})`,
  (base) => fuzz(base, 150),
)
