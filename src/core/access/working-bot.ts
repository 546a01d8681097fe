import type { Readable } from '../database/database.ts'

/**
 * Selects the bot in which an agent sells: the oldest one that works, of an agent who is not disabled (rules 20.6). The caller says whose:
 * `agentId` of `b`.
 */
export function workingBot({ $kysely }: Readable) {
  return $kysely
    .selectFrom('agentBots as b')
    .innerJoin('accounts as g', 'g.id', 'b.agentId')
    .select(['b.username', 'b.name'])
    .where('b.state', '=', 'active')
    .where('g.status', '=', 'active')
    .orderBy('b.createdAt')
    .orderBy('b.id')
    .limit(1)
}
