import { z } from 'zod'
import { type Actor, requireAgent } from '../access/actor.ts'
import type { Tx } from '../database/database.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { once } from '../requests/once.ts'
import { bookEarningEntry } from '../ledger/book-earning-entry.ts'
import { type Payout, payoutOf, type PayoutStatus } from './payout.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

const PayoutNo = z.string().trim().max(64)
export const PayoutPayment = z.object({
  payoutNo: PayoutNo,
  /** The transaction with which the USDT were sent. */
  txid: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^(0x)?[0-9a-f]{64}$/, 'not_a_transaction_id')
    .transform((text) => text.replace(/^0x/, '')),
})
export const PayoutRefusal = z.object({
  payoutNo: PayoutNo,
  /** Reason that the agent reads. */
  reason: z.string().trim().min(1).max(255),
})

/**
 * Cancels a payout that the agent has requested, while it is undecided; the amount is available again (rules 13.6). Cancelling again
 * changes nothing.
 *
 * @throws agent_required, payout_not_found, invalid_state (data: status), idempotency_conflict
 */
export async function cancelPayout(
  deps: Essentials,
  actor: Actor,
  payoutNo: string,
  requestKey?: string | null,
): Promise<Payout & { readonly replayed: boolean }> {
  requireAgent(actor)
  return once(deps, actor, { key: requestKey, kind: 'cancel_payout', input: { payoutNo } }, async (tx) => {
    const payout = await payoutOf(tx, payoutNo, actor.id)
    return payout.status === 'cancelled' ? payout : end(deps, tx, payoutNo, { status: 'cancelled' })
  })
}

/**
 * Notes that the operator has paid a payout, and by which transaction (rules 13.6); the service itself holds no keys. USDT that were on
 * their way when the agent cancelled the request are noted as well: the amount that came back is taken again, or owed.
 *
 * @throws payout_not_found, invalid_state (data: status), validation_error (txid; also that of another payout)
 */
export async function payPayout(deps: Essentials, input: z.input<typeof PayoutPayment>): Promise<Payout> {
  const { payoutNo, txid } = parseInput(PayoutPayment, input)
  return deps.db.write(async (tx) => {
    const other = await tx.$kysely
      .selectFrom('payouts')
      .select('payoutNo')
      .where('txid', '=', txid)
      .executeTakeFirst()
    if (other && other.payoutNo !== payoutNo) throw InvalidInput.of('txid', 'txid_of_another_payout')
    return noteEnd(tx, 'payout.paid', await end(deps, tx, payoutNo, { status: 'paid', txid }))
  })
}

/**
 * Refuses a payout for the operator; the amount is available again (rules 13.6).
 *
 * @throws payout_not_found, invalid_state (data: status), validation_error
 */
export async function refusePayout(deps: Essentials, input: z.input<typeof PayoutRefusal>): Promise<Payout> {
  const { payoutNo, reason } = parseInput(PayoutRefusal, input)
  return deps.db.write(async (tx) =>
    noteEnd(tx, 'payout.refused', await end(deps, tx, payoutNo, { status: 'refused', reason })),
  )
}

interface Outcome {
  readonly status: Exclude<PayoutStatus, 'requested'>
  readonly txid?: string
  readonly reason?: string
}

/** Ends a payout, once; what is not paid is booked back. */
async function end({ clock }: Essentials, tx: Tx, payoutNo: string, outcome: Outcome): Promise<Payout> {
  const now = clock.now()
  const { status, txid = null, reason = '' } = outcome
  const { id: payoutId, agentId, amount, status: before } = await payoutOf(tx, payoutNo)
  const isTakenAgain = before === 'cancelled' && status === 'paid'
  const from = isTakenAgain ? before : 'requested'
  const ended = await tx.$kysely
    .updateTable('payouts')
    .set({ status, txid, reason, endedAt: now })
    .where('payoutNo', '=', payoutNo)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw new ServiceError('invalid_state', { data: { status: before } })
  const entry = { agentId, kind: 'payout_returned', payoutId, mayOwe: true } as const
  const change = isTakenAgain ? -amount : status === 'paid' ? 0 : amount
  const source = `${isTakenAgain ? 'payout_taken_again' : 'payout_returned'}:${payoutNo}`
  if (
    change !== 0 &&
    !(await bookEarningEntry(tx, now, { ...entry, source, spendable: change, payable: change }))
  )
    throw new Error(`what payout ${payoutNo} leaves was not booked`)
  return payoutOf(tx, payoutNo)
}

function noteEnd(tx: Tx, kind: 'payout.paid' | 'payout.refused', payout: Payout): Payout {
  const { payoutNo, agentId, amount, usdtUnits, address, txid, reason } = payout
  happened(tx, { kind, payoutNo, agentId, amount, usdtUnits, address, txid: txid ?? '', reason })
  return payout
}
