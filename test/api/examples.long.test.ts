import { test } from 'vitest'
import { expectExamplesWork } from './documented-examples.ts'

test('Every documented request of /a/api works as it stands in a new sandbox', () =>
  expectExamplesWork('/a/api'))
