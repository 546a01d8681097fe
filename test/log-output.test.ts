import { it } from 'vitest'
import { proveServiceWithout } from './support/lost-output.ts'

it('An output that nobody reads any more does not stop the service', () => proveServiceWithout(''))
