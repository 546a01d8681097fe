import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { Micros } from '../money.ts'

export interface AgentOverview {
  readonly id: number
  readonly username: string
  readonly level: number
  readonly funding: 'transfer' | 'mint'
  readonly status: 'active' | 'disabled'
  readonly balance: Micros
  /** How many sub-users it has, deleted ones left out, and what they have together. */
  readonly users: number
  readonly usersBalance: Micros
}

/** All agents, oldest first, for the operator (rules 10.2). */
export function listAgents({ db }: CoreDeps): Promise<AgentOverview[]> {
  return selectJson<AgentOverview>(
    db.read,
    Prisma.sql`SELECT json_object('id', a.id, 'username', a.username, 'level', a.level, 'funding', a.funding, 'status', a.status,
        'balance', a.balance, 'users', count(u.id), 'usersBalance', coalesce(sum(u.balance), 0)) AS json
      FROM accounts a LEFT JOIN accounts u ON u.agent_id = a.id AND u.status <> 'deleted'
      WHERE a.role = 'agent' GROUP BY a.id ORDER BY a.id`,
  )
}
