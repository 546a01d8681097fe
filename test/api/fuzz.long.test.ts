import { test } from 'vitest'
import { SEED } from '../support/seed.ts'
import { fuzz } from './fuzzed-requests.ts'

/** Split between the variants. Raise it by `FUZZ_REQUESTS`. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 2_000)

test.each(['/a/api', '/b/api'])(
  `Whatever is asked of %s, often, the answer is as documented and the books balance (seed ${SEED})`,
  (base) => fuzz(base, Math.ceil(REQUESTS / 2)),
  60_000 + REQUESTS * 60,
)
