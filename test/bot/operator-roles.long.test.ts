import { test } from 'vitest'
import { walkOfRole } from './role-walks.ts'

test.each(['manager', 'finance'] as const)(
  'no button that somebody of the role %s sees leads to a refusal',
  (role) => walkOfRole(role),
)
