import type { Selectable } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Tx } from '../database/database.ts'
import { ALWAYS, literal, rowsOf } from '../database/dialect.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { toUnits } from './network-amounts.ts'
import {
  ChainUnavailable,
  type ListedTransfer,
  type PaymentNetwork,
  type Receipt,
  type WatchedWallet,
} from './payment-network.ts'
import { recordReceipt, stopConfirming } from './record-receipt.ts'
import { SKEW_MS } from './top-up-terms.ts'
import { DUST_UNITS } from '../usdt.ts'
import { happened } from '../facts/happened.ts'

/** Receipts requested in one scan of a network. */
const BATCH = 50
/** Pause between two checks of the same receipt: at first, and after {@link FREQUENT_CHECKS}. */
const CHECK_MS = { first: 6_000, later: 60_000 }
const FREQUENT_CHECKS = 10

/**
 * Stores the transactions that the index listed, in the open transaction: the receipt of each is requested once it can be
 * irreversible. A top-up whose amount is among them becomes `confirming`.
 *
 * @param notBefore earlier blocks are ignored
 */
export async function recordCandidates(
  deps: Essentials,
  tx: Tx,
  network: PaymentNetwork,
  { wallet, contract }: WatchedWallet,
  listed: readonly ListedTransfer[],
  notBefore: Date,
): Promise<void> {
  const now = deps.clock.now()
  const rows = listed
    .map(({ raw, ...transfer }) => ({ ...transfer, units: toUnits(network, raw) }))
    .filter(({ units, blockTime }) => units >= DUST_UNITS && blockTime >= notBefore)
    .map(({ txid, units, blockTime }) => ({
      txid,
      // A larger number is no pay amount; the exact one is read from the receipt.
      units: Math.min(Number(units), Number.MAX_SAFE_INTEGER),
      blockTime: blockTime.toISOString(),
      createdBy: new Date(blockTime.getTime() + SKEW_MS).toISOString(),
      // A time in the future is an error of the index: it must not delay the receipt.
      solidAt: new Date(Math.min(blockTime.getTime(), now.getTime()) + network.finalMs).toISOString(),
    }))
  if (rows.length === 0) return
  // One transaction may pay twice.
  const transactions = [...new Map(rows.map((row) => [row.txid, row])).values()]
  await tx.$kysely
    .insertInto('listedTransactions')
    .columns(['network', 'txid', 'wallet', 'contract', 'blockTime', 'nextCheckAt', 'createdAt'])
    .expression(({ selectFrom }) =>
      selectFrom(rowsOf(transactions, LISTED, 'r'))
        .select(({ val }) => [
          val(network.id).as('network'),
          'r.txid',
          val(wallet).as('wallet'),
          val(contract).as('contract'),
          'r.blockTime',
          'r.solidAt as nextCheckAt',
          val(now).as('createdAt'),
        ])
        // Without a condition, SQLite takes the next ON for that of a join.
        .where(ALWAYS),
    )
    .onConflict((known) =>
      known
        .columns(['network', 'txid'])
        .doUpdateSet(({ ref }) => ({ state: 'waiting', blockTime: ref('excluded.blockTime') }))
        .where('listedTransactions.state', '<>', 'done'),
    )
    .execute()
  const seen = await tx.$kysely
    .updateTable('topUps')
    .from(rowsOf(rows, LISTED, 'r'))
    .innerJoin('listedTransactions as c', 'c.txid', 'r.txid')
    .set(({ ref }) => ({ status: 'confirming', seenTxid: ref('r.txid'), updatedAt: now }))
    .where('c.network', '=', network.id)
    .where('c.state', '=', 'waiting')
    .where('topUps.status', '=', 'pending')
    .where('topUps.network', '=', network.id)
    .where('topUps.wallet', '=', wallet)
    .where('topUps.contract', '=', contract)
    .whereRef('topUps.payUnits', '=', 'r.units')
    .whereRef('topUps.matchUntil', '>=', 'r.blockTime')
    .whereRef('topUps.createdAt', '<=', 'r.createdBy')
    .returning(['orderNo', 'userId'])
    .execute()
  happened(tx, ...seen.map((topUp) => ({ kind: 'top_up.confirming' as const, ...topUp })))
}

/** The columns of listed transfers. */
const LISTED = {
  txid: 'text',
  units: 'integer',
  blockTime: 'text',
  createdBy: 'text',
  solidAt: 'text',
} as const

type Candidate = WatchedWallet & Pick<Selectable<DB['listedTransactions']>, 'txid' | 'blockTime' | 'checks'>

/**
 * Requests the receipts that are due and books them. One that cannot be read is requested again later and does not delay the
 * others.
 *
 * @param watched our wallets
 * @returns whether any receipt was due; if so, the chain has answered at least one
 * @throws ChainUnavailable when it cannot be read
 */
export async function checkCandidates(
  deps: Essentials,
  network: PaymentNetwork,
  watched: readonly WatchedWallet[],
): Promise<boolean> {
  const due = await deps.db.read.$kysely
    .selectFrom('listedTransactions')
    .select(['txid', 'wallet', 'contract', 'blockTime', 'checks'])
    .where('network', '=', network.id)
    .where('state', '=', literal('waiting'))
    .where('nextCheckAt', '<=', deps.clock.now().toISOString())
    .orderBy('nextCheckAt')
    .limit(BATCH)
    .execute()
  const unreadable: ChainUnavailable[] = []
  for (const candidate of due) {
    try {
      if (!(await resolveCandidate(deps, network, watched, candidate)))
        await scheduleRecheck(deps, network, candidate)
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      await scheduleRecheck(deps, network, candidate)
      if (error.fault !== 'bad_answer') throw error
      unreadable.push(error)
    }
  }
  const [failure] = unreadable
  if (failure && unreadable.length === due.length) throw failure
  return due.length > 0
}

/** @returns whether the candidate is done: its receipt was booked, or the transaction has vanished */
async function resolveCandidate(
  deps: Essentials,
  network: PaymentNetwork,
  watched: readonly WatchedWallet[],
  { txid, blockTime, wallet, contract }: Candidate,
): Promise<boolean> {
  const ours = [{ wallet, contract }, ...watched]
  const receipt = await wholeReceipt(network, txid, ours)
  if (receipt) {
    await recordReceipt(deps, network, ours, receipt)
    return true
  }
  const old = deps.clock.now().getTime() - Date.parse(blockTime) > network.vanishedMs
  if (!old || (await network.knows(txid))) return false
  await deps.db.write(async (tx) => {
    await tx.$kysely
      .updateTable('listedTransactions')
      .set({ state: 'vanished' })
      .where('network', '=', network.id)
      .where('txid', '=', txid)
      .where('state', '=', 'waiting')
      .execute()
    await stopConfirming(deps, tx, network, txid)
  })
  return true
}

/** Returns the receipt with the transfers of all our tokens; undefined as for {@link PaymentNetwork.receipt}. */
export async function wholeReceipt(
  network: PaymentNetwork,
  txid: string,
  ours: readonly WatchedWallet[],
): Promise<Receipt | undefined> {
  let whole: Receipt | undefined
  for (const contract of new Set(ours.map((each) => each.contract))) {
    const receipt = await network.receipt(txid, contract)
    if (!receipt) return undefined
    whole = { ...receipt, transfers: [...(whole?.transfers ?? []), ...receipt.transfers] }
  }
  return whole
}

async function scheduleRecheck(
  { db, clock }: Essentials,
  { id }: PaymentNetwork,
  { txid, checks }: Candidate,
): Promise<void> {
  const pause = checks < FREQUENT_CHECKS ? CHECK_MS.first : CHECK_MS.later
  const next = new Date(clock.now().getTime() + pause)
  await db.write((tx) =>
    tx.$kysely
      .updateTable('listedTransactions')
      .set(({ eb }) => ({ checks: eb('checks', '+', 1), nextCheckAt: next }))
      .where('network', '=', id)
      .where('txid', '=', txid)
      .execute(),
  )
}
