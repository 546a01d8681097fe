import { EntryType, OrderType } from '../../generated/prisma/enums.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { greatest, least } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { takeBackEarnings } from './take-back-earnings.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { MAX_MICROS, type Micros, toNumber } from '../money.ts'
import { type EntryRemark, type SystemRemark, systemRemark } from './system-remarks.ts'
import { happened } from '../facts/happened.ts'

export const ENTRY_TYPES = Object.values(EntryType)
export const ORDER_TYPES = Object.values(OrderType)
export type { EntryType }

interface NewEntry extends Partial<EntryRemark> {
  readonly accountId: number
  readonly type: EntryType
  /** Signed change of the balance. */
  readonly amount: Micros
  /**
   * The part of the amount that is money that came in, limited by what the balance has of it (rules 13.14); by default all of a debit
   * and nothing of a credit. For the refund of an order it is calculated.
   */
  readonly paidIn?: Micros
  /** What the entry is for, e.g. `order:S2026…`: the database refuses the same source twice. */
  readonly source: string
  readonly orderType?: OrderType
  readonly orderNo?: string
  /** For a refund: the source of the one payment that it gives back; without it, the refund is spread over all payments for the order. */
  readonly refundOf?: string
  /** The account that caused it; null for the operator. */
  readonly operatorId: number | null
}

export interface BookedEntry {
  readonly transactionNo: string
  readonly balanceAfter: Micros
  /** The part of the amount that is money which came in; signed. */
  readonly paidIn: Micros
}

/**
 * Books one entry and thereby changes the balance, in one conditional statement (rules 2.13: every change of a balance is one
 * entry, and no balance falls below 0). All changes of balances go through here. A refund also takes back what the agent has earned by
 * the order (rules 13.4), and gives back what came in for it (rules 13.14).
 *
 * @param tx the open transaction; its rollback undoes the entry
 * @throws insufficient_balance (data: required, balance, shortfall), validation_error for a balance above the limit, unavailable for
 *   a negative amount while spending of the account is frozen
 */
export async function bookEntry(tx: Tx, now: Date, entry: NewEntry): Promise<BookedEntry> {
  const transactionNo = newNumber('T', now)
  const { accountId, type, amount, source, orderType = null, orderNo = null, operatorId } = entry
  const { remark = '', remarkKind = null } = entry
  const isRefund = type === 'refund' && orderNo !== null
  const paidIn = isRefund
    ? await takeBackEarnings(tx, now, { ...entry, orderNo })
    : (entry.paidIn ?? Math.min(amount, 0))
  const values = {
    accountId,
    transactionNo,
    type,
    amount,
    paidIn,
    source,
    orderType,
    orderNo,
    operatorId,
    remark,
    remarkKind,
    now,
  }
  const [row] = await insertEntry(tx, values)
  if (!row && entry.amount > 0) throw InvalidInput.of('amount', 'balance_too_large')
  if (!row) throw await refusalFor(tx, entry)
  if (amount > 0) await forwardToAgent(tx, now, accountId, { amount, paidIn: row.paidIn })
  return { transactionNo, ...row }
}

async function refusalFor(tx: Tx, { accountId, amount }: NewEntry): Promise<ServiceError> {
  const { frozen, balance } = await fundsOf(tx, accountId)
  return frozen
    ? new ServiceError('unavailable', { data: { reason: 'books_in_doubt' } })
    : insufficientBalance(-amount, balance)
}

/**
 * Forwards a credit to a deleted sub-user, such as the refund of an order that was being completed, to its agent, as the rest of its
 * balance was, and tells the agent (rules 2.12, 2.24).
 */
async function forwardToAgent(
  tx: Tx,
  now: Date,
  accountId: number,
  { amount, paidIn }: { readonly amount: Micros; readonly paidIn: Micros },
): Promise<void> {
  const [deleted] = await agentOfDeleted(tx, { accountId })
  if (!deleted) return
  const { agentId, username } = deleted
  const transfer = newNumber('X', now)
  const source = `transfer:${transfer}`
  const shared = { operatorId: null, ...systemRemark('account_deleted') }
  await bookEntry(tx, now, {
    ...shared,
    accountId,
    type: 'transfer_out',
    amount: -amount,
    paidIn: -paidIn,
    source: `${source}:user`,
  })
  const { balanceAfter: balance } = await bookEntry(tx, now, {
    ...shared,
    accountId: agentId,
    type: 'transfer_in',
    amount,
    paidIn,
    source: `${source}:agent`,
  })
  happened(tx, { kind: 'balance.returned', agentId, subject: transfer, username, amount, balance })
}

/** Returns the error `insufficient_balance`, with what is missing. */
export function insufficientBalance(required: Micros, balance: Micros): ServiceError {
  return new ServiceError('insufficient_balance', {
    data: {
      required: toNumber(required),
      balance: toNumber(balance),
      shortfall: toNumber(required - balance),
    },
  })
}

/** Reads the balance of an account, as the connection or open transaction sees it. */
export async function balanceOf(db: Queryable, accountId: number): Promise<Micros> {
  return (await fundsOf(db, accountId)).balance
}

async function fundsOf(db: Queryable, accountId: number) {
  const [funds] = await findFunds(db, { accountId })
  if (!funds) throw new Error(`account ${accountId} does not exist`)
  return funds
}

interface EntryValues {
  readonly accountId: number
  readonly transactionNo: string
  readonly type: EntryType
  readonly amount: Micros
  readonly paidIn: Micros
  readonly source: string
  readonly orderType: OrderType | null
  readonly orderNo: string | null
  readonly operatorId: number | null
  readonly remark: string
  readonly remarkKind: SystemRemark | null
  readonly now: Date
}

/** Inserts no row when the balance would leave its limits, or spending is frozen. */
const insertEntry = compiled<EntryValues>()(
  (
    db,
    {
      accountId,
      transactionNo,
      type,
      amount,
      paidIn,
      source,
      orderType,
      orderNo,
      operatorId,
      remark,
      remarkKind,
      now,
    },
  ) =>
    db
      .insertInto('ledgerEntries')
      .columns([
        ...(['transactionNo', 'accountId', 'scopeId', 'type', 'amount', 'balanceAfter', 'paidIn'] as const),
        ...(['source', 'orderType', 'orderNo', 'operatorId', 'remark', 'remarkKind', 'createdAt'] as const),
      ])
      .expression(({ selectFrom }) =>
        selectFrom('accounts')
          .select(({ eb, fn, ref, lit, neg }) => [
            transactionNo.as('transactionNo'),
            'id',
            fn.coalesce('agentId', 'id').as('scopeId'),
            type.as('type'),
            amount.as('amount'),
            eb('balance', '+', amount).as('balanceAfter'),
            // Neither part of the balance, what came in and the rest, may fall below 0.
            least(
              greatest<number>(paidIn, greatest<number>(neg(ref('accounts.paidIn')), least(amount, lit(0)))),
              least(
                greatest<number>(amount, lit(0)),
                eb(eb('balance', '+', amount), '-', ref('accounts.paidIn')),
              ),
            ).as('paidIn'),
            source.as('source'),
            orderType.as('orderType'),
            orderNo.as('orderNo'),
            operatorId.as('operatorId'),
            remark.as('remark'),
            remarkKind.as('remarkKind'),
            now.as('createdAt'),
          ])
          .where('id', '=', accountId)
          .where(({ eb }) => eb.between(eb('balance', '+', amount), 0, MAX_MICROS))
          .where(({ eb, or }) => or([eb(amount, '>=', 0), eb('frozen', '=', false)])),
      )
      .returning(({ ref }) => ['balanceAfter', ref('paidIn').$notNull().as('paidIn')]),
)

const agentOfDeleted = compiled<{ accountId: number }>()((db, { accountId }) =>
  db
    .selectFrom('accounts as a')
    .innerJoin('accounts as g', 'g.id', 'a.agentId')
    .select(({ ref }) => ['a.username', ref('a.agentId').$notNull().as('agentId')])
    .where('a.id', '=', accountId)
    .where('a.status', '=', 'deleted')
    .where('g.funding', '=', 'transfer'),
)

const findFunds = compiled<{ accountId: number }>()((db, { accountId }) =>
  db.selectFrom('accounts').select(['balance', 'frozen']).where('id', '=', accountId),
)
