import type { Actor } from '../access.ts'
import { announceAdjustment } from '../accounts/adjust-balance.ts'
import type { Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { Micros } from '../money.ts'
import type { NoticeFacts } from '../notices/kinds.ts'

/** What an agent has done with the balance of a sub-user. */
interface Moved {
  readonly userId: number
  /** Of the renewal, release or order: told once. */
  readonly number: string
  /** Negative: paid; positive: given back. */
  readonly amount: Micros
  readonly balance: Micros
  readonly cause: NonNullable<NoticeFacts['balance_adjusted']['cause']>
}

/** Tells a sub-user what its agent has paid from its balance, or brought back to it (rules 2.24); nobody of its own orders. */
export async function tellOfAgent(
  deps: CoreDeps,
  tx: Tx,
  { id, username }: Actor,
  { userId, number, amount, balance, cause }: Moved,
): Promise<void> {
  if (id === userId || amount === 0) return
  const moved = { transactionNo: number, amount, newBalance: balance }
  const by = { remark: null, by: 'agent', agent: username, cause } as const
  await announceAdjustment(deps, tx, userId, moved, by)
}
