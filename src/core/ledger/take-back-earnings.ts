import { compiled } from '../database/compiled.ts'
import type { Readable, Tx } from '../database/database.ts'
import { type Micros, shareOf } from '../money.ts'
import { bookEarningEntry } from './book-earning-entry.ts'

interface Refund {
  readonly accountId: number
  readonly orderNo: string
  readonly amount: Micros
  /** The source of the one payment that it gives back; without it, the refund is spread over all payments for the order. */
  readonly refundOf?: string
}

/**
 * Takes back from the agent its part of what a refund gives back (rules 13.4): of each payment in proportion to what was paid, so that
 * payments which come back wholly leave no earning. Called by `bookEntry` before it books a refund.
 *
 * @returns how much of the refund is money that came in (rules 13.14): in proportion to what the order still has of it, and so that
 *   enough is left for what may still be paid out of the earnings of the order
 */
export async function takeBackEarnings(
  tx: Tx,
  now: Date,
  refund: Refund & { readonly source: string },
): Promise<Micros> {
  const { accountId, orderNo, amount, source } = refund
  const { paid, paidIn } = await netOf(tx, accountId, orderNo)
  for (const loss of await lossesBy(tx, refund)) await takeBack(tx, now, loss, source)
  const payable = (await earningsOf(tx, { orderNo })).reduce((sum, one) => sum + one.payable, 0)
  return Math.min(shareOf(paidIn, amount, paid), paidIn - payable)
}

/** Returns what a refund that is not booked would cost the shop: its amount without the part that the agent gives (rules 13.2). */
export async function shopsPartOf(db: Readable, refund: Refund): Promise<Micros> {
  const losses = await lossesBy(db, refund)
  return losses.reduce((left, { taken }) => left - taken, refund.amount)
}

type Earning = Awaited<ReturnType<typeof earningsOf>>[number]

/** What an earning loses by a refund. */
interface Loss {
  readonly earning: Earning
  /** What has come back of the payment, this refund included. */
  readonly refunded: Micros
  readonly taken: Micros
}

async function lossesBy(db: Readable, { accountId, orderNo, amount, refundOf }: Refund): Promise<Loss[]> {
  const earnings = await earningsOf(db, { orderNo })
  if (earnings.length === 0) return []
  const named = earnings.filter((one) => one.source === refundOf)
  if (refundOf !== undefined && named.length === 0) return []
  // A part of the named payment may have come back already, with other proxies of the order.
  const first = Math.min(amount, leftOf(named))
  const { paid: before } = await netOf(db, accountId, orderNo)
  const others = earnings.filter((one) => !named.includes(one))
  return [
    ...spread(named, { amount: first, paid: leftOf(named) }),
    ...spread(others, { amount: amount - first, paid: before - leftOf(named) }),
  ]
}

/**
 * Spreads a refund over payments, in proportion to what is left of each.
 *
 * @param paid what is left of all of them, also of those of which the agent has no part
 */
function spread(
  earnings: readonly Earning[],
  { amount, paid }: { readonly amount: Micros; readonly paid: Micros },
): Loss[] {
  let unrefunded = leftOf(earnings)
  let rest = amount - shareOf(amount, paid - unrefunded, paid)
  return earnings.map((earning) => {
    const share = shareOf(rest, leftOf([earning]), unrefunded)
    rest -= share
    unrefunded -= leftOf([earning])
    const refunded = earning.refunded + share
    return { earning, refunded, taken: shareOf(earning.amount, refunded, earning.paid) - earning.reversed }
  })
}

/** Sums what was paid and has not come back. */
function leftOf(earnings: readonly Pick<Earning, 'paid' | 'refunded'>[]): Micros {
  return earnings.reduce((sum, { paid, refunded }) => sum + paid - refunded, 0)
}

async function takeBack(
  tx: Tx,
  now: Date,
  { earning, refunded, taken }: Loss,
  refund: string,
): Promise<void> {
  const { id, source, agentId, amount, reversed, state } = earning
  const left = shareOf(earning.payable, earning.paid - refunded, leftOf([earning]))
  const payable = taken === 0 ? earning.payable : Math.min(left, amount - reversed - taken)
  await setRefunded(tx, { id, refunded, reversed: reversed + taken, payable })
  if (taken === 0) return
  const booked = await bookEarningEntry(tx, now, {
    agentId,
    kind: 'reversed',
    source: `reversed:${refund}:${source}`,
    earningId: id,
    ...(state === 'pending'
      ? { pending: -taken }
      : { spendable: -taken, payable: payable - earning.payable, mayOwe: true }),
  })
  if (!booked) throw new Error(`the earning of ${source} was not taken back`)
}

const earningsOf = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  db
    .selectFrom('earnings')
    .select(['id', 'source', 'agentId', 'paid', 'amount', 'refunded', 'reversed', 'payable', 'state'])
    .where('orderNo', '=', orderNo)
    .orderBy('id'),
)

/** Reads what was paid for an order and has not come back, and how much of it is money that came in. */
async function netOf(
  db: Readable,
  accountId: number,
  orderNo: string,
): Promise<{ readonly paid: Micros; readonly paidIn: Micros }> {
  const [net] = await netOfOrder(db, { accountId, orderNo })
  return { paid: -(net?.amount ?? 0), paidIn: -(net?.paidIn ?? 0) }
}

const netOfOrder = compiled<{ accountId: number; orderNo: string }>()((db, { accountId, orderNo }) =>
  db
    .selectFrom('ledgerEntries')
    .select(({ fn, lit }) => [
      fn.coalesce(fn.sum<number>('amount'), lit(0)).as('amount'),
      fn.coalesce(fn.sum<number>('paidIn'), lit(0)).as('paidIn'),
    ])
    .where('orderNo', '=', orderNo)
    .where('accountId', '=', accountId)
    .where('type', 'in', ['consumption', 'refund']),
)

const setRefunded = compiled<{ id: number; refunded: Micros; reversed: Micros; payable: Micros }>()(
  (db, { id, refunded, reversed, payable }) =>
    db.updateTable('earnings').set({ refunded, reversed, payable }).where('id', '=', id),
)
