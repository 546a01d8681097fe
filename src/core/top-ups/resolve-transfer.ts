import { z } from 'zod'
import type { Tx } from '../database/database.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { creditTopUp } from './credit-top-up.ts'
import { isIgnoredByOperator } from './is-ignored-by-operator.ts'
import { readTopUp, type TopUp } from './top-up.ts'
import { parseTransferName } from './transfer-names.ts'
import { MAX_AUTO_CREDIT } from '../usdt.ts'
import { happened } from '../facts/happened.ts'
import type { TopUpDeps } from './deps.ts'

/** `TXID`, `TXID:INDEX` or `NETWORK:TXID:INDEX`. */
export const TransferName = z.string().max(300)
export const TransferNote = z.string().trim().max(500)
const Assignment = z.object({
  txid: TransferName,
  orderNo: z.string().trim().min(1).max(64),
  note: TransferNote.default(''),
})
const Ignoring = z.object({ txid: TransferName, note: TransferNote.default('') })
const Reopening = z.object({ txid: TransferName })
const Refund = z.object({ txid: TransferName, note: TransferNote.min(1) })

type Deps = Omit<TopUpDeps, 'topUps'>

/**
 * Assigns an unmatched transfer to a top-up and credits the received amount at the rate of the top-up, whatever the amount. It can
 * be added to a paid top-up, for a second or partial payment.
 *
 * @throws validation_error (txid), order_not_found, invalid_state (resolved already; the user is deleted), payment_in_progress
 */
export async function assignTransfer(deps: Deps, input: z.input<typeof Assignment>): Promise<TopUp> {
  const { txid: wanted, orderNo, note } = parseInput(Assignment, input)
  return deps.db.write(async (tx) => {
    const known = await tx.$kysely
      .selectFrom('topUps as t')
      .innerJoin('accounts as u', 'u.id', 't.userId')
      .select(['t.id', 't.userId', 't.rate', 't.status', 'u.status as userStatus'])
      .where('t.orderNo', '=', orderNo)
      .executeTakeFirst()
    if (!known) throw new ServiceError('order_not_found')
    if (known.status === 'confirming') throw new ServiceError('payment_in_progress')
    if (known.userStatus === 'deleted')
      throw new ServiceError('invalid_state', { data: { status: 'user_deleted' } })
    const { network, txid, index, units } = await resolve(deps, tx, wanted, 'matched', note, known.id)
    if (BigInt(units) > MAX_AUTO_CREDIT) throw InvalidInput.of('txid', 'absurd_amount')
    const payment = { network, txid, index, units: Number(units) }
    await creditTopUp(deps, tx, { ...known, orderNo }, payment, { late: false, manual: true })
    return readTopUp(tx, orderNo)
  })
}

/**
 * Puts a transfer that the operator has ignored back among those that wait for a decision.
 *
 * @throws validation_error (txid), invalid_state (it is not ignored, or was ignored automatically)
 */
export async function reopenTransfer(deps: Deps, input: z.input<typeof Reopening>): Promise<void> {
  const { txid } = parseInput(Reopening, input)
  await deps.db.write((tx) =>
    change(deps, tx, txid, 'ignored', { state: 'unmatched', topUpId: null, note: '', resolvedAt: null }),
  )
}

/**
 * Records that an unmatched transfer is no payment, until it is put back.
 *
 * @throws validation_error (txid), invalid_state
 */
export async function ignoreTransfer(deps: Deps, input: z.input<typeof Ignoring>): Promise<void> {
  const { txid, note } = parseInput(Ignoring, input)
  await deps.db.write((tx) => resolve(deps, tx, txid, 'ignored', note))
}

/**
 * Records that the operator has sent an unmatched transfer back; the service itself holds no keys.
 *
 * @param input `note` says how, such as the transaction of the refund
 * @throws validation_error (txid, note), invalid_state
 */
export async function refundTransfer(deps: Deps, input: z.input<typeof Refund>): Promise<void> {
  const { txid, note } = parseInput(Refund, input)
  await deps.db.write((tx) => resolve(deps, tx, txid, 'refunded', note))
}

type Decision = 'matched' | 'ignored' | 'refunded'

/** Resolves an unmatched transfer, once. */
async function resolve(
  deps: Deps,
  tx: Tx,
  named: string,
  state: Decision,
  note: string,
  topUpId: number | null = null,
) {
  const to = { state, topUpId, note, resolvedAt: deps.clock.now() }
  const resolved = await change(deps, tx, named, 'unmatched', to)
  const claims = await tx.$kysely
    .selectFrom('transferClaims as c')
    .innerJoin('topUps as t', 't.id', 'c.topUpId')
    .select('t.orderNo')
    .where('c.transferId', '=', resolved.id)
    .execute()
  happened(tx, {
    kind: 'transfer.resolved',
    network: resolved.network,
    txid: resolved.txid,
    index: resolved.index,
    state,
    claims: claims.map((topUp) => topUp.orderNo),
  })
  return resolved
}

/** Changes a transfer that is unmatched, or that the operator has ignored, as `from` says. */
async function change(
  { networks }: Deps,
  tx: Tx,
  named: string,
  from: 'unmatched' | 'ignored',
  to: { state: Decision | 'unmatched'; topUpId: number | null; note: string; resolvedAt: Date | null },
) {
  const { transactions, index } = parseTransferName(networks, named, 'txid')
  const found = await tx.$kysely
    .selectFrom('usdtTransfers')
    .select(['id', 'state', 'resolvedAt'])
    .where(({ eb, or, and }) =>
      or(transactions.map(({ network, txid }) => and([eb('network', '=', network), eb('txid', '=', txid)]))),
    )
    .$if(index !== undefined, (transfers) => transfers.where('logIndex', '=', index ?? 0))
    .orderBy('logIndex')
    .execute()
  const open = found.filter((one) => (from === 'ignored' ? isIgnoredByOperator(one) : one.state === from))
  const [transfer] = open
  if (found.length === 0) throw InvalidInput.of('txid', 'no_such_transfer')
  if (!transfer) throw new ServiceError('invalid_state', { data: { status: found[0]?.state } })
  if (open.length > 1) throw InvalidInput.of('txid', 'several_transfers')
  const resolved = await tx.$kysely
    .updateTable('usdtTransfers')
    .set(to)
    .where('id', '=', transfer.id)
    .where('state', '=', from)
    .returning(['id', 'network', 'txid', 'logIndex as index', 'units'])
    .executeTakeFirst()
  if (!resolved) throw new ServiceError('invalid_state')
  return resolved
}
