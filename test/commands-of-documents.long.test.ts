import { expect, test } from 'vitest'
import { proveCommandsOf, runnable } from './support/commands-of-documents.ts'

test('Documents have commands to run', () => {
  expect(runnable).toEqual(
    expect.arrayContaining(['docs/developer.md', 'docs/operation.md', 'docs/owner.md']),
  )
})

test.each(runnable)('The commands of %s work', proveCommandsOf)
