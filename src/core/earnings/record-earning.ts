import type { Actor } from '../access.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import type { Micros } from '../money.ts'
import { bookEarningEntry } from './book-earning-entry.ts'
import { matureEarning } from './mature-earnings.ts'

interface Sale {
  /** The source of the entry that charged for it. */
  readonly source: string
  readonly productId: number
  readonly orderNo: string
  readonly paid: Micros
  /** The agent's part of what was paid. */
  readonly earning: Micros
}

/**
 * Books what the agent of a buyer earns by a sale, in the transaction that charges for it (rules 13.3). What was bought for good, such
 * as traffic, is available at once.
 */
export async function recordEarning(
  tx: Tx,
  now: Date,
  { id: userId, agentId }: Actor,
  { source, productId, orderNo, paid, earning: amount }: Sale,
  final: 'at_once' | 'after_refund_window',
): Promise<void> {
  if (amount === 0 || agentId === null) return
  const sale = { source, agentId, userId, productId, orderNo, paid, amount }
  const id = await insertEarning(tx, { ...sale, maturesAt: now, createdAt: now })
  const entry = { agentId, earningId: id, source: `earned:${source}`, pending: amount }
  if (!(await bookEarningEntry(tx, now, { ...entry, kind: 'earned' })))
    throw new Error(`the earning of ${source} was not booked`)
  if (final === 'at_once') await matureEarning(tx, now, { id, source, agentId, amount, reversed: 0 })
}

const insertEarning = compiledInsert('earnings')
