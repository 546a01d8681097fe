import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { greatest } from '../database/dialect.ts'
import type { Micros } from '../money.ts'
import { bookEarningEntry } from '../ledger/book-earning-entry.ts'
import { matureEarning } from './mature-earnings.ts'

interface Sale {
  /** The source of the ledger entry that charged for it. */
  readonly source: string
  readonly productId: number
  readonly orderNo: string
  readonly paid: Micros
  /** The agent's part of what was paid. */
  readonly earning: Micros
}

/**
 * Books what the agent of a buyer earns by a sale, in the transaction that charges for it, after the entry that does (rules 13.3). What
 * was bought for good, such as traffic, is available at once. What came in pays the shop's part first; what is left of it may be paid
 * out (rules 13.15).
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
  const [earning] = await insertEarning(tx, { ...sale, shopsPart: paid - amount, now })
  // No row: the ledger entry of the charge was refused, which undoes the whole transaction.
  if (!earning) return
  const { id, payable } = earning
  const entry = { agentId, earningId: id, source: `earned:${source}`, pending: amount }
  if (!(await bookEarningEntry(tx, now, { ...entry, kind: 'earned' })))
    throw new Error(`the earning of ${source} was not booked`)
  if (final === 'at_once') await matureEarning(tx, now, { id, source, agentId, amount, reversed: 0, payable })
}

const insertEarning = compiled<
  Omit<Sale, 'earning'> & {
    agentId: number
    userId: number
    amount: Micros
    shopsPart: Micros
    now: Date
  }
>()((db, { source, agentId, userId, productId, orderNo, paid, amount, shopsPart, now }) =>
  db
    .insertInto('earnings')
    .columns([
      ...(['source', 'agentId', 'userId', 'productId', 'orderNo', 'paid', 'amount', 'payable'] as const),
      ...(['maturesAt', 'createdAt'] as const),
    ])
    .expression(({ selectFrom }) =>
      selectFrom('ledgerEntries')
        .select(({ eb, fn, ref, lit, neg }) => [
          'source',
          agentId.as('agentId'),
          userId.as('userId'),
          productId.as('productId'),
          orderNo.as('orderNo'),
          paid.as('paid'),
          amount.as('amount'),
          greatest(eb(neg(fn.coalesce(ref('paidIn'), lit(0))), '-', shopsPart), lit(0)).as('payable'),
          now.as('maturesAt'),
          now.as('createdAt'),
        ])
        .where('source', '=', source),
    )
    .returning(['id', 'payable']),
)
