import { test } from 'vitest'
import { proveQuotas } from './exact-quotas.ts'

test('Eight downloads at a time with 2 processes get exactly what is left: it is counted and told once', () =>
  proveQuotas(2))
