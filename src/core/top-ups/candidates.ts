import type { Selectable } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Tx } from '../database/database.ts'
import { ALWAYS, literal, rowsOf } from '../database/dialect.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { type ChainReader, ChainUnavailable, type ListedTransfer, type Receipt } from './chain-reader.ts'
import { recordReceipt, stopConfirming, type WatchedWallet } from './record-receipt.ts'
import { SKEW_MS, SOLID_MS } from './top-up-terms.ts'
import { DUST_UNITS } from '../usdt.ts'
import { happened } from '../facts/happened.ts'

/** Receipts requested in one scan. */
const BATCH = 50
/** Pause between two checks of the same receipt: at first, and after {@link FREQUENT_CHECKS}. */
const CHECK_MS = { first: 6_000, later: 60_000 }
const FREQUENT_CHECKS = 10
/** Age of a block in ms from which on a transaction that the chain does not know was on an abandoned fork. */
const VANISHED_MS = 10 * 60_000

/**
 * Stores the transactions that the index listed, in the open transaction: the receipt of each is requested once it can be
 * irreversible. A top-up whose amount is among them becomes `confirming`.
 *
 * @param notBefore earlier blocks are ignored
 */
export async function recordCandidates(
  deps: Essentials,
  tx: Tx,
  { wallet, contract }: WatchedWallet,
  listed: readonly ListedTransfer[],
  notBefore: Date,
): Promise<void> {
  const now = deps.clock.now()
  const rows = listed
    .filter(({ units, blockTime }) => units >= DUST_UNITS && blockTime >= notBefore)
    .map(({ txid, units, blockTime }) => ({
      txid,
      // A larger number is no pay amount; the exact one is read from the receipt.
      units: Math.min(Number(units), Number.MAX_SAFE_INTEGER),
      blockTime: blockTime.toISOString(),
      createdBy: new Date(blockTime.getTime() + SKEW_MS).toISOString(),
      // A time in the future is an error of the index: it must not delay the receipt.
      solidAt: new Date(Math.min(blockTime.getTime(), now.getTime()) + SOLID_MS).toISOString(),
    }))
  if (rows.length === 0) return
  // One transaction may pay twice.
  const transactions = [...new Map(rows.map((row) => [row.txid, row])).values()]
  await tx.$kysely
    .insertInto('chainCandidates')
    .columns(['txid', 'wallet', 'contract', 'blockTime', 'nextCheckAt', 'createdAt'])
    .expression(({ selectFrom }) =>
      selectFrom(rowsOf(transactions, LISTED, 'r'))
        .select(({ val }) => [
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
        .column('txid')
        .doUpdateSet(({ ref }) => ({ state: 'waiting', blockTime: ref('excluded.blockTime') }))
        .where('chainCandidates.state', '<>', 'done'),
    )
    .execute()
  const seen = await tx.$kysely
    .updateTable('topUps')
    .from(rowsOf(rows, LISTED, 'r'))
    .innerJoin('chainCandidates as c', 'c.txid', 'r.txid')
    .set(({ ref }) => ({ status: 'confirming', seenTxid: ref('r.txid'), updatedAt: now }))
    .where('c.state', '=', 'waiting')
    .where('topUps.status', '=', 'pending')
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

type Candidate = WatchedWallet & Pick<Selectable<DB['chainCandidates']>, 'txid' | 'blockTime' | 'checks'>

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
  chain: ChainReader,
  watched: readonly WatchedWallet[],
): Promise<boolean> {
  const due = await deps.db.read.$kysely
    .selectFrom('chainCandidates')
    .select(['txid', 'wallet', 'contract', 'blockTime', 'checks'])
    .where('state', '=', literal('waiting'))
    .where('nextCheckAt', '<=', deps.clock.now().toISOString())
    .orderBy('nextCheckAt')
    .limit(BATCH)
    .execute()
  const unreadable: ChainUnavailable[] = []
  for (const candidate of due) {
    try {
      if (!(await resolveCandidate(deps, chain, watched, candidate))) await scheduleRecheck(deps, candidate)
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      await scheduleRecheck(deps, candidate)
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
  chain: ChainReader,
  watched: readonly WatchedWallet[],
  { txid, blockTime, wallet, contract }: Candidate,
): Promise<boolean> {
  const ours = [{ wallet, contract }, ...watched]
  const receipt = await wholeReceipt(chain, txid, ours)
  if (receipt) {
    await recordReceipt(deps, ours, receipt)
    return true
  }
  const old = deps.clock.now().getTime() - Date.parse(blockTime) > VANISHED_MS
  if (!old || (await chain.knows(txid))) return false
  await deps.db.write(async (tx) => {
    await tx.$kysely
      .updateTable('chainCandidates')
      .set({ state: 'vanished' })
      .where('txid', '=', txid)
      .where('state', '=', 'waiting')
      .execute()
    await stopConfirming(deps, tx, txid)
  })
  return true
}

/** Returns the receipt with the transfers of all our tokens; undefined as for {@link ChainReader.receipt}. */
export async function wholeReceipt(
  chain: ChainReader,
  txid: string,
  ours: readonly WatchedWallet[],
): Promise<Receipt | undefined> {
  let whole: Receipt | undefined
  for (const contract of new Set(ours.map((each) => each.contract))) {
    const receipt = await chain.receipt(txid, contract)
    if (!receipt) return undefined
    whole = { ...receipt, transfers: [...(whole?.transfers ?? []), ...receipt.transfers] }
  }
  return whole
}

async function scheduleRecheck({ db, clock }: Essentials, { txid, checks }: Candidate): Promise<void> {
  const pause = checks < FREQUENT_CHECKS ? CHECK_MS.first : CHECK_MS.later
  const next = new Date(clock.now().getTime() + pause)
  await db.write((tx) =>
    tx.$kysely
      .updateTable('chainCandidates')
      .set(({ eb }) => ({ checks: eb('checks', '+', 1), nextCheckAt: next }))
      .where('txid', '=', txid)
      .execute(),
  )
}
