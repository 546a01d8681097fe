import { expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { type Actor, requireAgent } from '../access/actor.ts'
import type { Readable } from '../database/database.ts'
import { greatest, least } from '../database/dialect.ts'
import { type Held, Money, record } from '../record.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Fields shown of earnings that an agent has not used. */
export const UNUSED_EARNINGS = {
  pending: Money.meta({ description: 'A refund may still take it back' }),
  available: Money.meta({
    description: 'Can be moved to the balance, or paid out as far as it is `payable`',
  }),
  owed: Money.meta({
    description: 'Taken back by refunds after it was used: repaid by what becomes available',
  }),
}
const OF_AGENT = {
  ...UNUSED_EARNINGS,
  payable: Money.meta({
    description:
      'The part of `available` that can be paid out: what was earned by money that came in, not by money that was given or newly ' +
      'created',
  }),
}
/** What an agent has earned and not used (rules 13.3, 13.15). */
export const EarningsBalance = record(OF_AGENT, { id: 'EarningsBalance' })
export type EarningsOfAgent = Held<typeof OF_AGENT>

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
