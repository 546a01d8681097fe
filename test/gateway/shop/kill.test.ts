import { test } from 'vitest'
import { proveKillsOfBoth } from './kills-of-both.ts'

test('Shop and gateway killed at the same time lose a second of counting at most, and count nothing twice', () =>
  proveKillsOfBoth(1))
