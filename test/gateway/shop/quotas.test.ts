import { test } from 'vitest'
import { proveQuotas } from './exact-quotas.ts'

test('Eight downloads at a time with 1 process get exactly what is left: it is counted and told once', () =>
  proveQuotas(1))
