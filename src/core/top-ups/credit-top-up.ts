import type { Tx } from '../database/database.ts'
import type { Essentials } from '../essentials.ts'
import { InvalidInput } from '../errors.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { MAX_MICROS, type Micros } from '../money.ts'
import { announce, announceToOperators } from '../notices/announce.ts'
import { followedBalance, refreshScreens } from '../chats/refresh-screens.ts'
import { creditFor, type Usdt, usdtText } from './usdt.ts'
import { recordTopUpEvents } from '../webhooks/top-up-events.ts'

/** An irreversible transfer that is credited to a top-up. */
export interface Payment {
  readonly txid: string
  /** Position of the transfer among the events of its transaction. */
  readonly index: number
  readonly units: Usdt
}

/**
 * Credits what was received at the rate of the top-up, in the open transaction that records the transfer (rules 8.1, 8.7). The
 * ledger refuses a second entry for the same (txid, log index).
 *
 * @param how `late`: paid after the expiry or cancellation; `manual`: assigned by the operator, also to a paid top-up
 * @throws validation_error for a balance above the limit
 */
export async function creditTopUp(
  deps: Essentials,
  tx: Tx,
  topUp: { id: number; orderNo: string; userId: number; rate: Micros },
  { txid, index, units }: Payment,
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
    source: `usdt:${txid}:${index}`,
    orderNo,
    operatorId: null,
    remark: `${usdtText(units)} USDT`,
  })
  await announce(deps, tx, [
    {
      accountIds: [topUp.userId],
      kind: how.late ? 'top_up_late' : 'top_up_paid',
      subject: `${txid}:${index}`,
      data: { orderNo, payUnits: units, credited: credit, balance: balanceAfter, manual: how.manual },
    },
  ])
  await recordTopUpEvents(tx, now, 'top_up.paid', [topUp])
  await refreshScreens(deps, tx, orderNo, 'paid')
  await refreshScreens(deps, tx, followedBalance(topUp.userId), `${txid}:${index}`)
  if (user.status !== 'disabled') return
  await announceToOperators(deps, tx, {
    kind: 'account_credited_anyway',
    subject: `${txid}:${index}`,
    data: { orderNo, username: user.username, credited: credit },
  })
}
