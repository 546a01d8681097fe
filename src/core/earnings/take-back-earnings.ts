import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { Micros } from '../money.ts'
import { bookEarningEntry } from './book-earning-entry.ts'

/** A refund that was just booked. */
interface BookedRefund {
  readonly accountId: number
  readonly orderNo: string
  readonly amount: Micros
  readonly source: string
  /** The source of the one payment that it gives back; without it, it gives back of all payments for the order. */
  readonly refundOf?: string
}

/**
 * Takes back from the agent its part of what a refund gives back (rules 13.4): of each payment in proportion to what was paid, so that
 * payments which come back wholly leave no earning. Called wherever a refund is booked, by `bookEntry`.
 */
export async function takeBackEarnings(tx: Tx, now: Date, refund: BookedRefund): Promise<void> {
  const { accountId, orderNo, amount, source, refundOf } = refund
  const earnings = await earningsOf(tx, { orderNo })
  if (earnings.length === 0) return
  const named = earnings.filter((one) => one.source === refundOf)
  if (refundOf !== undefined && named.length === 0) return
  // Of a payment that is named, a part may have come back already, with other proxies of the order.
  const first = Math.min(amount, leftOf(named))
  const paid = amount + (await netPaid(tx, accountId, orderNo)) - leftOf(named)
  const others = earnings.filter((one) => !named.includes(one))
  await spread(tx, now, source, named, { amount: first, paid: leftOf(named) })
  await spread(tx, now, source, others, { amount: amount - first, paid })
}

/**
 * Spreads a refund over payments, in proportion to what is left of each.
 *
 * @param paid what is left of all of them, also of those of which the agent has no part
 */
async function spread(
  tx: Tx,
  now: Date,
  source: string,
  earnings: readonly Earning[],
  { amount, paid }: { readonly amount: Micros; readonly paid: Micros },
): Promise<void> {
  let unrefunded = leftOf(earnings)
  let rest = amount - shareOf(amount, paid - unrefunded, paid)
  for (const earning of earnings) {
    const share = shareOf(rest, leftOf([earning]), unrefunded)
    rest -= share
    unrefunded -= leftOf([earning])
    await takeBack(tx, now, earning, share, source)
  }
}

/** What was paid and has not come back. */
function leftOf(earnings: readonly Pick<Earning, 'paid' | 'refunded'>[]): Micros {
  return earnings.reduce((sum, { paid, refunded }) => sum + paid - refunded, 0)
}

type Earning = Awaited<ReturnType<typeof earningsOf>>[number]

async function takeBack(
  tx: Tx,
  now: Date,
  { id, source, agentId, paid, amount, refunded, reversed, state }: Earning,
  share: Micros,
  refund: string,
): Promise<void> {
  const total = refunded + share
  const taken = shareOf(amount, total, paid) - reversed
  await setRefunded(tx, { id, refunded: total, reversed: reversed + taken })
  if (taken === 0) return
  const booked = await bookEarningEntry(tx, now, {
    agentId,
    kind: 'reversed',
    source: `reversed:${refund}:${source}`,
    earningId: id,
    ...(state === 'pending' ? { pending: -taken } : { spendable: -taken, mayOwe: true }),
  })
  if (!booked) throw new Error(`the earning of ${source} was not taken back`)
}

/** The part of an amount that `part` is of `whole`, rounded down; exact beyond 2^53. */
function shareOf(amount: Micros, part: Micros, whole: Micros): Micros {
  return whole <= 0 ? 0 : Number((BigInt(amount) * BigInt(part)) / BigInt(whole))
}

const earningsOf = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  db
    .selectFrom('earnings')
    .select(['id', 'source', 'agentId', 'paid', 'amount', 'refunded', 'reversed', 'state'])
    .where('orderNo', '=', orderNo)
    .orderBy('id'),
)

/** What was paid for an order and has not come back. */
async function netPaid(tx: Tx, accountId: number, orderNo: string): Promise<Micros> {
  const [net] = await netOfOrder(tx, { accountId, orderNo })
  return -(net?.amount ?? 0)
}

const netOfOrder = compiled<{ accountId: number; orderNo: string }>()((db, { accountId, orderNo }) =>
  db
    .selectFrom('ledgerEntries')
    .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('amount'), lit(0)).as('amount'))
    .where('orderNo', '=', orderNo)
    .where('accountId', '=', accountId)
    .where('type', 'in', ['consumption', 'refund']),
)

const setRefunded = compiled<{ id: number; refunded: Micros; reversed: Micros }>()(
  (db, { id, refunded, reversed }) =>
    db.updateTable('earnings').set({ refunded, reversed }).where('id', '=', id),
)
