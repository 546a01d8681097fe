import { test } from 'vitest'
import { proveRandomUse } from './random-use.ts'

test('Whatever is bought, moved, taken back and downloaded at the same time, with 3 kills of the gateway: each byte is counted once', () =>
  proveRandomUse(3))
