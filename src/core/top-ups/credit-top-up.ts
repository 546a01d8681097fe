import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { Essentials } from '../essentials.ts'
import { InvalidInput } from '../errors.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { MAX_MICROS, type Micros } from '../money.ts'
import { announce, announceToOperators } from '../notices/announce.ts'
import { followedBalance, refreshScreens } from './refresh-screens.ts'
import { creditFor, type Usdt, usdtText } from './usdt.ts'

/** An irreversible transfer, by its name on the chain. */
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
 * @throws validation_error for a balance beyond all limits
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
  const [changed] = await selectJson<{ username: string; status: string }>(
    tx,
    Prisma.sql`UPDATE top_ups SET
        status = 'paid', paid_at = coalesce(paid_at, ${now}), late = iif(status = 'paid', late, ${how.late}), manual = ${how.manual},
        credit_amount = iif(status = 'paid', credit_amount, 0) + ${credit}, seen_txid = ${txid}, updated_at = ${now}
      WHERE id = ${topUp.id} AND (status <> 'paid' OR ${how.manual})
      RETURNING (SELECT json_object('username', username, 'status', status) FROM accounts WHERE id = user_id) AS json`,
  )
  if (!changed) throw new Error(`top-up ${topUp.orderNo} was credited already`)
  const { balanceAfter } = await bookEntry(tx, now, {
    accountId: topUp.userId,
    type: 'recharge',
    amount: credit,
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
  await refreshScreens(deps, tx, orderNo, 'paid')
  await refreshScreens(deps, tx, followedBalance(topUp.userId), `${txid}:${index}`)
  if (changed.status !== 'disabled') return
  await announceToOperators(deps, tx, {
    kind: 'account_credited_anyway',
    subject: `${txid}:${index}`,
    data: { orderNo, username: changed.username, credited: credit },
  })
}
