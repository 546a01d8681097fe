import { type Actor, directSubUser } from '../access/actor.ts'
import { ServiceError } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import { planTransfer, type TransferPlan } from '../ledger/plan-transfer.ts'
import { type Micros, toNumber } from '../money.ts'
import type { Essentials } from '../jobs/essentials.ts'

export interface AdjustmentPlan extends TransferPlan {
  readonly username: string
  readonly balance: Micros
  readonly balanceAfter: Micros
}

/**
 * Returns what an adjustment of a direct sub-user's balance would do to both balances; nothing is changed.
 *
 * @param userId undefined for what cannot be an id
 * @param amount positive adds, negative deducts; 0 leaves both balances as they are
 * @throws agent_required, sub_user_not_found, not_direct_sub_user, balance_below_zero (of the sub-user), insufficient_balance (of the
 *   agent)
 */
export async function planAdjustment(
  { db }: Essentials,
  actor: Actor,
  userId: number | undefined,
  amount: Micros,
): Promise<AdjustmentPlan> {
  const { username } = await directSubUser(db.read, actor, userId)
  const balance = await balanceOf(db.read, Number(userId))
  const plan = { username, balance, balanceAfter: adjusted(balance, amount) }
  return { ...plan, ...(await planTransfer(db.read, actor, amount)) }
}

/**
 * Returns a balance after an adjustment.
 *
 * @throws balance_below_zero
 */
export function adjusted(balance: Micros, amount: Micros): Micros {
  if (balance + amount < 0)
    throw new ServiceError('balance_below_zero', { data: { balance: toNumber(balance) } })
  return balance + amount
}
