import { EntryType, type OrderType } from '../../generated/prisma/client.ts'
import type { Tx } from '../database/database.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { MAX_MICROS, type Micros, toNumber } from '../money.ts'
import { isFrozen } from './frozen-accounts.ts'
import { systemRemark } from './system-remarks.ts'

export const ENTRY_TYPES = Object.values(EntryType)
export type { EntryType }

export interface NewEntry {
  readonly accountId: number
  readonly type: EntryType
  /** Signed change of the balance. */
  readonly amount: Micros
  /** What the entry is for, e.g. `order:S2026…`: the database refuses the same source twice. */
  readonly source: string
  readonly orderType?: OrderType
  readonly orderNo?: string
  /** The account that caused it; null for the operator. */
  readonly operatorId: number | null
  readonly remark?: string
}

export interface BookedEntry {
  readonly transactionNo: string
  readonly balanceAfter: Micros
}

/**
 * Books one entry and thereby moves the balance, in one conditional statement (rules 2.13: every change of any balance is
 * one entry, and no balance falls below 0). This is the only place that moves money.
 *
 * @param tx the open transaction; its rollback undoes the entry
 * @throws insufficient_balance (data: required, balance, shortfall), validation_error for a balance beyond all limits,
 *   unavailable when an account shall spend whose books do not balance
 */
export async function bookEntry(tx: Tx, now: Date, entry: NewEntry): Promise<BookedEntry> {
  const transactionNo = newNumber('T', now)
  const [row] = await tx.$queryRaw<{ balance_after: number }[]>`
    INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, order_type, order_no, operator_id, remark, created_at)
    SELECT ${transactionNo}, id, coalesce(agent_id, id), ${entry.type}, ${entry.amount}, balance + ${entry.amount}, ${entry.source},
           ${entry.orderType ?? null}, ${entry.orderNo ?? null}, ${entry.operatorId}, ${entry.remark ?? ''}, ${now}
    FROM accounts WHERE id = ${entry.accountId} AND balance + ${entry.amount} BETWEEN 0 AND ${MAX_MICROS}
      AND (${entry.amount} >= 0 OR NOT ${isFrozen('accounts.id')})
    RETURNING balance_after`
  if (!row && entry.amount > 0) throw InvalidInput.of('amount', 'balance_too_large')
  if (!row) throw await refusalFor(tx, entry)
  if (entry.amount > 0) await forwardToAgent(tx, now, entry.accountId, entry.amount)
  return { transactionNo, balanceAfter: row.balance_after }
}

async function refusalFor(tx: Tx, { accountId, amount }: NewEntry): Promise<ServiceError> {
  const [doubted] = await tx.$queryRaw<
    unknown[]
  >`SELECT 1 FROM accounts WHERE id = ${accountId} AND ${isFrozen('id')}`
  return doubted
    ? new ServiceError('unavailable', { data: { reason: 'books_in_doubt' } })
    : insufficientBalance(-amount, await balanceOf(tx, accountId))
}

/**
 * What still comes to a deleted sub-user, such as the refund of an order that was being completed, goes on to its agent, as
 * the rest of its balance did (rules 2.12).
 */
async function forwardToAgent(tx: Tx, now: Date, accountId: number, amount: Micros): Promise<void> {
  const [deleted] = await tx.$queryRaw<{ agent_id: number }[]>`
    SELECT a.agent_id FROM accounts a JOIN accounts g ON g.id = a.agent_id
    WHERE a.id = ${accountId} AND a.status = 'deleted' AND g.funding = 'transfer'`
  if (!deleted) return
  const source = `transfer:${newNumber('X', now)}`
  const shared = { operatorId: null, remark: systemRemark('accountDeleted') }
  await bookEntry(tx, now, {
    ...shared,
    accountId,
    type: 'transfer_out',
    amount: -amount,
    source: `${source}:user`,
  })
  await bookEntry(tx, now, {
    ...shared,
    accountId: deleted.agent_id,
    type: 'transfer_in',
    amount,
    source: `${source}:agent`,
  })
}

/** `insufficient_balance`, with what is missing. */
export function insufficientBalance(required: Micros, balance: Micros): ServiceError {
  return new ServiceError('insufficient_balance', {
    data: {
      required: toNumber(required),
      balance: toNumber(balance),
      shortfall: toNumber(required - balance),
    },
  })
}

/** The balance of an account right now, in this transaction. */
export async function balanceOf(db: Pick<Tx, '$queryRaw'>, accountId: number): Promise<Micros> {
  const [row] = await db.$queryRaw<
    { balance: number }[]
  >`SELECT balance FROM accounts WHERE id = ${accountId}`
  if (!row) throw new Error(`account ${accountId} does not exist`)
  return row.balance
}
