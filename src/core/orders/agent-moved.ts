import type { Actor } from '../access/actor.ts'
import type { Tx } from '../database/database.ts'
import type { FactOf } from '../facts/facts.ts'
import { happened } from '../facts/happened.ts'

/**
 * Reports what an agent has paid from the balance of a sub-user, or brought back to it (rules 2.24). What the user does itself is not
 * reported.
 *
 * @param moved `number` of the renewal, release or order; `amount`: negative: paid, positive: given back
 */
export function agentMoved(
  tx: Tx,
  { id, username }: Actor,
  moved: Pick<FactOf<'balance.adjusted'>, 'userId' | 'number' | 'amount' | 'balance' | 'cause'>,
): void {
  if (id === moved.userId || moved.amount === 0) return
  happened(tx, { kind: 'balance.adjusted', ...moved, remark: null, by: 'agent', agent: username })
}
