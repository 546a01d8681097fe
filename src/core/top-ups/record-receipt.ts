import type { Selectable } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Tx } from '../database/database.ts'
import { literal } from '../database/dialect.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { InvalidInput } from '../errors.ts'
import { creditTopUp, type Payment } from './credit-top-up.ts'
import { nearTopUps } from './near-top-ups.ts'
import { toUnits } from './network-amounts.ts'
import type { NetworkTraits, Receipt, TransferLog, UsdtUnits, WatchedWallet } from './payment-network.ts'
import type { Watched } from './scan-state.ts'
import { SKEW_MS } from './top-up-terms.ts'
import { MAX_AUTO_CREDIT, DUST_UNITS } from '../usdt.ts'
import { happened } from '../facts/happened.ts'

/** Why a transfer to the wallet paid no top-up. */
export type UnmatchedReason =
  | 'no_order'
  | 'duplicate_payment'
  | 'user_deleted'
  | 'absurd_amount'
  /** The balance would be above the limit. */
  | 'not_creditable'

type Verdict =
  | { readonly state: 'matched'; readonly topUp: Match }
  | { readonly state: 'ignored'; readonly reason: 'self' | 'dust' }
  | { readonly state: 'unmatched'; readonly reason: UnmatchedReason }

/**
 * Books an irreversible receipt (rules 8.7, 8.8): each transfer to a wallet of ours is recorded once, under (network, txid, log index), and
 * credits the top-up that it pays, all in one transaction. Idempotent.
 *
 * @param watched all of our wallets: one transaction may pay to several of them
 */
export async function recordReceipt(
  deps: Essentials,
  network: NetworkTraits,
  watched: readonly WatchedWallet[],
  receipt: Receipt,
): Promise<void> {
  const transfers = receipt.transfers.filter(
    ({ contract, to, raw }) =>
      raw > 0n && watched.some((ours) => ours.wallet === to && ours.contract === contract),
  )
  const record = (creditable: boolean) =>
    deps.db.write(async (tx) => {
      for (const transfer of receipt.success ? transfers : [])
        await recordTransfer(deps, tx, network, receipt, transfer, creditable)
      await tx.$kysely
        .updateTable('listedTransactions')
        .set({ state: 'done' })
        .where('network', '=', network.id)
        .where('txid', '=', receipt.txid)
        .execute()
      await stopConfirming(deps, tx, network, receipt.txid)
    })
  try {
    await record(true)
  } catch (error) {
    // The balance would be above the limit: the operator decides.
    if (!(error instanceof InvalidInput)) throw error
    await record(false)
  }
}

/** Sets top-ups back to `pending` whose seen payment has failed or vanished. */
export async function stopConfirming(
  deps: Essentials,
  tx: Tx,
  { id }: NetworkTraits,
  txid: string,
): Promise<void> {
  const waiting = await tx.$kysely
    .updateTable('topUps')
    .set({ status: 'pending', seenTxid: null, updatedAt: deps.clock.now() })
    .where('status', '=', literal('confirming'))
    .where('seenTxid', '=', txid)
    .where('network', '=', id)
    .returning('orderNo')
    .execute()
  happened(tx, ...waiting.map((topUp) => ({ kind: 'top_up.unconfirmed' as const, ...topUp })))
}

async function recordTransfer(
  deps: Essentials,
  tx: Tx,
  traits: NetworkTraits,
  { txid, blockNumber, blockTime }: Receipt,
  transfer: TransferLog,
  creditable: boolean,
): Promise<void> {
  const { index, contract, from, to: wallet, raw } = transfer
  const network = traits.id
  const units = toUnits(traits, raw)
  const known = await tx.$kysely
    .selectFrom('usdtTransfers')
    .select('id')
    .where('network', '=', network)
    .where('txid', '=', txid)
    .where('logIndex', '=', index)
    .executeTakeFirst()
  if (known) return
  const now = deps.clock.now()
  const verdict = await verdictOn(tx, { network, wallet, contract, from, units }, blockTime, creditable)
  const { state } = verdict
  await tx.$kysely
    .insertInto('usdtTransfers')
    .values({
      network,
      txid,
      logIndex: index,
      wallet,
      contract,
      fromAddress: from,
      units: units.toString(),
      raw: raw.toString(),
      blockNumber,
      blockTime,
      ...(verdict.state === 'matched'
        ? { state, topUpId: verdict.topUp.id }
        : { state, reason: verdict.reason }),
      createdAt: now,
    })
    .execute()
  const payment: Payment = { network, txid, index, units: Number(units) }
  if (verdict.state === 'matched') {
    const { status, expiresAt } = verdict.topUp
    const late = status === 'cancelled' || blockTime > new Date(expiresAt)
    await creditTopUp(deps, tx, verdict.topUp, payment, { late, manual: false })
  }
  if (verdict.state === 'unmatched') {
    const near = await nearTopUps(tx, { network, wallet, contract, units, blockTime })
    happened(tx, {
      kind: 'transfer.unmatched',
      network,
      txid,
      index,
      from,
      units: units.toString(),
      reason: verdict.reason,
      blockTime: blockTime.toISOString(),
      near: near.map((topUp) => topUp.orderNo),
    })
  }
}

type Match = Pick<Selectable<DB['topUps']>, 'id' | 'orderNo' | 'userId' | 'rate' | 'status' | 'expiresAt'>

/** What has come to a wallet of ours. */
interface Arrival extends Watched {
  readonly from: string
  readonly units: UsdtUnits
}

/**
 * Decides which top-up a transfer pays, if any. The times during which top-ups hold the same amount never overlap, so the amount and
 * the block time identify one of them, whenever the transfer is found.
 */
async function verdictOn(
  tx: Tx,
  { network, wallet, contract, from, units }: Arrival,
  blockTime: Date,
  creditable: boolean,
): Promise<Verdict> {
  if (from === wallet) return { state: 'ignored', reason: 'self' }
  if (units > MAX_AUTO_CREDIT) return { state: 'unmatched', reason: 'absurd_amount' }
  const topUp = await tx.$kysely
    .selectFrom('topUps as t')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .select(['t.id', 't.orderNo', 't.userId', 't.rate', 't.status', 't.expiresAt', 'u.status as userStatus'])
    .where('t.network', '=', network)
    .where('t.wallet', '=', wallet)
    .where('t.contract', '=', contract)
    .where('t.payUnits', '=', Number(units))
    .where('t.createdAt', '<=', new Date(blockTime.getTime() + SKEW_MS).toISOString())
    .where('t.matchUntil', '>=', blockTime.toISOString())
    .executeTakeFirst()
  if (!topUp)
    return units < DUST_UNITS
      ? { state: 'ignored', reason: 'dust' }
      : { state: 'unmatched', reason: 'no_order' }
  if (topUp.status === 'paid') return { state: 'unmatched', reason: 'duplicate_payment' }
  if (topUp.userStatus === 'deleted') return { state: 'unmatched', reason: 'user_deleted' }
  return creditable ? { state: 'matched', topUp } : { state: 'unmatched', reason: 'not_creditable' }
}
