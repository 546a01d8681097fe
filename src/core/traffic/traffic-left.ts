import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'

/** What is left on a main account `t`, in bytes; its sub-accounts have the rest. */
export function bytesLeft() {
  const { eb, ref } = expressionBuilder<DB & { t: DB['traffic'] }, 't'>()
  return eb(eb('t.totalBytes', '-', ref('t.usedBytes')), '-', ref('t.allocatedBytes'))
}
