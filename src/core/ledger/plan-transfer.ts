import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { type Readable, selectJson } from '../database/database.ts'
import type { Micros } from '../money.ts'
import { insufficientBalance } from './book-entry.ts'

/** What a transfer to sub-users does to the balance of their agent. */
export interface TransferPlan {
  readonly agentBalance: Micros
  readonly agentBalanceAfter: Micros
}

/**
 * What `transferToSubUser` would do to the balance of the agent, before it is done.
 *
 * @param amount positive: to sub-users; negative: back to the agent
 * @throws insufficient_balance
 */
export async function planTransfer(db: Readable, agent: Actor, amount: Micros): Promise<TransferPlan> {
  const [account] = await selectJson<{ balance: Micros; mints: number }>(
    db,
    Prisma.sql`SELECT json_object('balance', balance, 'mints', funding = 'mint') AS json FROM accounts WHERE id = ${agent.id}`,
  )
  const { balance, mints } = account ?? { balance: 0, mints: 0 }
  const after = mints ? balance : balance - amount
  if (after < 0) throw insufficientBalance(amount, balance)
  return { agentBalance: balance, agentBalanceAfter: after }
}
