import type { Funding } from '../../generated/kysely/tables.ts'
import type { Micros } from '../money.ts'
import type { Essentials } from '../jobs/essentials.ts'

export interface AgentOverview {
  readonly id: number
  readonly username: string
  readonly level: number
  readonly funding: Funding
  readonly status: 'active' | 'disabled'
  readonly balance: Micros
  /** Number of its sub-users, without deleted ones, and the sum of their balances. */
  readonly users: number
  readonly usersBalance: Micros
}

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
