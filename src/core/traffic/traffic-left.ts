import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** SQL: what is left on a main account, in bytes; its sub-accounts have the rest. Needs `t` = traffic. */
export const TRAFFIC_LEFT = Prisma.raw('t.total_bytes - t.used_bytes - t.allocated_bytes')

/** As {@link TRAFFIC_LEFT}, for a query on traffic as `t`. */
export function bytesLeft() {
  const { eb, ref } = expressionBuilder<DB & { t: DB['traffic'] }, 't'>()
  return eb(eb('t.totalBytes', '-', ref('t.usedBytes')), '-', ref('t.allocatedBytes'))
}
