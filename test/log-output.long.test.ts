import { existsSync } from 'node:fs'
import { it } from 'vitest'
import { proveServiceWithout } from './support/lost-output.ts'

it.skipIf(!existsSync('/dev/full'))('An output that has no room left does not stop the service', () =>
  proveServiceWithout('>/dev/full 2>&1'),
)
