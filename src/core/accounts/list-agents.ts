import { z } from 'zod'
import { Funding } from '../../generated/prisma/enums.ts'
import { type HeldOf, Money, record } from '../record.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** An agent in the list of the operator. */
export const AgentRecord = record({
  id: z.int(),
  username: z.string(),
  level: z.int(),
  funding: z.enum(Funding),
  status: z.enum(['active', 'disabled']),
  /** Number of its sub-users, without deleted ones. */
  users: z.int(),
  balance: Money,
  /** Sum of the balances of these sub-users. */
  usersBalance: Money,
})

export type AgentOverview = HeldOf<typeof AgentRecord>

/** Lists all agents, oldest first, for the operator (rules 10.2). */
export function listAgents({ db }: Essentials): Promise<AgentOverview[]> {
  return db.read.$kysely
    .selectFrom('accounts as a')
    .leftJoin('accounts as u', (on) => on.onRef('u.agentId', '=', 'a.id').on('u.status', '<>', 'deleted'))
    .select(['a.id', 'a.username', 'a.level', 'a.funding', 'a.status', 'a.balance'])
    .select(({ fn, val }) => [
      fn.count<number>('u.id').as('users'),
      fn.coalesce(fn.sum<number>('u.balance'), val(0)).as('usersBalance'),
    ])
    .where('a.role', '=', 'agent')
    .groupBy('a.id')
    .orderBy('a.id')
    .$narrowType<Pick<AgentOverview, 'level' | 'funding' | 'status'>>()
    .execute()
}
