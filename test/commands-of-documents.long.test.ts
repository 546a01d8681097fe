import { test } from 'vitest'
import { proveCommandsOf } from './support/commands-of-documents.ts'

test('The commands of docs/operation.md work', () => proveCommandsOf('docs/operation.md'))
