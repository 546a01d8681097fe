import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'

/** Returns the expression for the bytes left on a main account `t`: bought, less used, less moved to sub-accounts. */
export function bytesLeft() {
  const { eb, ref } = expressionBuilder<DB & { t: DB['traffic'] }, 't'>()
  return eb(eb('t.totalBytes', '-', ref('t.usedBytes')), '-', ref('t.allocatedBytes'))
}
