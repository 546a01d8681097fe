import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { type Actor, requireAgent } from '../access/actor.ts'
import type { Readable } from '../database/database.ts'
import { greatest, least } from '../database/dialect.ts'
import type { Micros } from '../money.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What an agent has earned and not used. */
export interface EarningsOfAgent {
  /** Earnings that a refund may still take back. */
  readonly pending: Micros
  readonly available: Micros
  /** The part of `available` that may be paid out, and not only moved to the balance (rules 13.15). */
  readonly payable: Micros
  /** Earnings that were taken back after they were used; repaid by what becomes available. */
  readonly owed: Micros
}

/**
 * Reads the earnings of an agent as they are now (rules 13.3).
 *
 * @throws agent_required
 */
export async function earnings({ db }: Essentials, actor: Actor): Promise<EarningsOfAgent> {
  requireAgent(actor)
  return earningsOf(db.read, actor.id)
}

/** Reads the earnings of an agent, as the connection or open transaction sees them. */
export async function earningsOf(db: Readable, agentId: number): Promise<EarningsOfAgent> {
  const found = await db.$kysely
    .selectFrom('accounts')
    .select(EARNINGS_OF_AGENT)
    .where('id', '=', agentId)
    .executeTakeFirst()
  if (!found) throw new Error(`account ${agentId} does not exist`)
  return found
}

const { lit, ref } = expressionBuilder<DB, 'accounts'>()

/** {@link EarningsOfAgent}, as columns of a query of accounts. */
export const EARNINGS_OF_AGENT = [
  'earningPending as pending',
  'earningAvailable as available',
  least(ref('earningAvailable'), greatest(ref('earningPayable'), lit(0))).as('payable'),
  'earningOwed as owed',
] as const
