import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import type { Micros } from '../money.ts'
import { insufficientBalance } from './book-entry.ts'

/** The balance of the agent before and after a transfer to sub-users. */
export interface TransferPlan {
  readonly agentBalance: Micros
  readonly agentBalanceAfter: Micros
}

/**
 * Calculates the effect that `transferToSubUser` would have on the balance of the agent.
 *
 * @param amount positive: to sub-users; negative: back to the agent
 * @throws insufficient_balance
 */
export async function planTransfer(db: Readable, agent: Actor, amount: Micros): Promise<TransferPlan> {
  const [account] = await findFunds(db, { id: agent.id })
  const { balance, funding } = account ?? { balance: 0, funding: null }
  const after = funding === 'mint' ? balance : balance - amount
  if (after < 0) throw insufficientBalance(amount, balance)
  return { agentBalance: balance, agentBalanceAfter: after }
}

const findFunds = compiled<{ id: number }>()((db, { id }) =>
  db.selectFrom('accounts').select(['balance', 'funding']).where('id', '=', id),
)
