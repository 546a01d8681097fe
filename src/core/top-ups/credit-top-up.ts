import type { Tx } from '../database/database.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { InvalidInput } from '../errors.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { MAX_MICROS, type Micros } from '../money.ts'
import { creditFor, type Usdt, usdtText } from '../usdt.ts'
import { nameOfTransfer } from '../facts/facts.ts'
import { happened } from '../facts/happened.ts'

/** An irreversible transfer that is credited to a top-up. */
export interface Payment {
  readonly network: string
  readonly txid: string
  /** Position of the transfer among the events of its transaction. */
  readonly index: number
  readonly units: Usdt
}

/**
 * Credits what was received at the rate of the top-up, in the open transaction that records the transfer (rules 8.1, 8.7). The
 * ledger refuses a second entry for the same (network, txid, log index).
 *
 * @param how `late`: paid after the expiry or cancellation; `manual`: assigned by the operator, also to a paid top-up
 * @throws validation_error for a balance above the limit
 */
export async function creditTopUp(
  deps: Essentials,
  tx: Tx,
  topUp: { id: number; orderNo: string; userId: number; rate: Micros },
  { network, txid, index, units }: Payment,
  how: { late: boolean; manual: boolean },
): Promise<void> {
  const now = deps.clock.now()
  const { orderNo } = topUp
  const credit = creditFor(units, topUp.rate)
  if (credit > MAX_MICROS) throw InvalidInput.of('amount', 'balance_too_large')
  const user = await tx.$kysely
    .selectFrom('topUps as t')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .select(['u.username', 'u.status', 't.status as topUpStatus', 't.creditAmount'])
    .where('t.id', '=', topUp.id)
    .executeTakeFirstOrThrow()
  const again = user.topUpStatus === 'paid'
  if (again && !how.manual) throw new Error(`top-up ${orderNo} was credited already`)
  await tx.$kysely
    .updateTable('topUps')
    .set({ status: 'paid', manual: how.manual, seenTxid: txid, updatedAt: now })
    .set(
      again
        ? { creditAmount: user.creditAmount + credit }
        : { creditAmount: credit, late: how.late, paidAt: now },
    )
    .where('id', '=', topUp.id)
    .execute()
  const { balanceAfter } = await bookEntry(tx, now, {
    accountId: topUp.userId,
    type: 'recharge',
    amount: credit,
    paidIn: credit,
    source: `usdt:${nameOfTransfer({ network, txid, index })}`,
    orderNo,
    operatorId: null,
    remark: `${usdtText(units)} USDT`,
  })
  happened(tx, {
    kind: 'top_up.paid',
    orderNo,
    userId: topUp.userId,
    username: user.username,
    disabled: user.status === 'disabled',
    network,
    txid,
    index,
    payUnits: units,
    credited: credit,
    balance: balanceAfter,
    ...how,
  })
}
