import { Prisma } from '../../generated/prisma/client.ts'

/** SQL: what is left on a main account, in bytes; its sub-accounts have the rest. Needs `t` = traffic. */
export const TRAFFIC_LEFT = Prisma.raw('t.total_bytes - t.used_bytes - t.allocated_bytes')
