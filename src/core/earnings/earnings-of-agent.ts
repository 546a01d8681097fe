import { type Actor, requireAgent } from '../access.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { Micros } from '../money.ts'

/** What an agent has earned and not used. */
export interface EarningsOfAgent {
  /** A refund may still take it back. */
  readonly pending: Micros
  readonly available: Micros
  /** Taken back after it was used: repaid by what becomes available. */
  readonly owed: Micros
}

/**
 * The earnings of an agent as they are now (rules 13.3).
 *
 * @throws agent_required
 */
export async function earnings({ db }: CoreDeps, actor: Actor): Promise<EarningsOfAgent> {
  requireAgent(actor)
  return earningsOf(db.read, actor.id)
}

/** The earnings of an agent, as the connection or open transaction sees them. */
export async function earningsOf(db: Readable, agentId: number): Promise<EarningsOfAgent> {
  const [found] = await findEarnings(db, { agentId })
  if (!found) throw new Error(`account ${agentId} does not exist`)
  return found
}

const findEarnings = compiled<{ agentId: number }>()((db, { agentId }) =>
  db
    .selectFrom('accounts')
    .select(['earningPending as pending', 'earningAvailable as available', 'earningOwed as owed'])
    .where('id', '=', agentId),
)
