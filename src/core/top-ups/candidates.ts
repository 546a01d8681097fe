import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { Essentials } from '../essentials.ts'
import { type ChainReader, ChainUnavailable, type ListedTransfer, type Receipt } from './chain-reader.ts'
import { recordReceipt, stopConfirming, type WatchedWallet } from './record-receipt.ts'
import { refreshScreens } from './refresh-screens.ts'
import { SKEW_MS, SOLID_MS } from './top-up-terms.ts'
import { DUST_UNITS } from './usdt.ts'

/** Receipts asked for in one scan. */
const BATCH = 50
/** Between two looks at the same receipt: at first, and after {@link PATIENT_CHECKS}. */
const CHECK_MS = { first: 6_000, later: 60_000 }
const PATIENT_CHECKS = 10
/** A transaction that nobody knows any more so long after its block was on a branch that lost. */
const VANISHED_MS = 10 * 60_000

/**
 * Remembers what the index listed, in the open transaction: each transaction's receipt is looked for once it can be
 * irreversible. A top-up whose amount was seen is `confirming` from now on.
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
      // Longer numbers are nobody's pay amount, and their receipts tell them whole.
      units: Number(units),
      blockTime: blockTime.toISOString(),
      createdBy: new Date(blockTime.getTime() + SKEW_MS).toISOString(),
      // A time that lies ahead is a mistake of the index: it must not keep the receipt waiting.
      solidAt: new Date(Math.min(blockTime.getTime(), now.getTime()) + SOLID_MS).toISOString(),
    }))
  if (rows.length === 0) return
  const json = JSON.stringify(rows)
  await tx.$executeRaw`
    INSERT INTO chain_candidates (txid, wallet, contract, block_time, next_check_at, created_at)
    SELECT value ->> 'txid', ${wallet}, ${contract}, value ->> 'blockTime', value ->> 'solidAt', ${now} FROM json_each(${json}) WHERE true
    ON CONFLICT DO UPDATE SET state = 'waiting', block_time = excluded.block_time WHERE state <> 'done'`
  const seen = await selectJson<string>(
    tx,
    Prisma.sql`UPDATE top_ups SET status = 'confirming', seen_txid = r.value ->> 'txid', updated_at = ${now}
               FROM json_each(${json}) r JOIN chain_candidates c ON c.txid = r.value ->> 'txid' AND c.state = 'waiting'
               WHERE top_ups.status = 'pending' AND top_ups.wallet = ${wallet} AND top_ups.contract = ${contract}
                 AND top_ups.pay_units = r.value ->> 'units' AND top_ups.match_until >= r.value ->> 'blockTime'
                 AND top_ups.created_at <= r.value ->> 'createdBy'
               RETURNING json_quote(order_no) AS json`,
  )
  for (const orderNo of seen) await refreshScreens(deps, tx, orderNo, 'confirming')
}

interface Candidate extends WatchedWallet {
  readonly txid: string
  readonly blockTime: string
  readonly checks: number
}

/**
 * Asks for the receipts that are due and books them. One that cannot be read is asked for again later and does not keep the
 * others waiting.
 *
 * @param watched our wallets
 * @returns whether the chain has answered, about one of them at least
 * @throws ChainUnavailable when it cannot be read
 */
export async function checkCandidates(
  deps: Essentials,
  chain: ChainReader,
  watched: readonly WatchedWallet[],
): Promise<boolean> {
  const due = await selectJson<Candidate>(
    deps.db.read,
    Prisma.sql`SELECT json_object('txid', txid, 'wallet', wallet, 'contract', contract, 'blockTime', block_time, 'checks', checks) AS json
               FROM chain_candidates WHERE state = 'waiting' AND next_check_at <= ${deps.clock.now()} ORDER BY next_check_at LIMIT ${BATCH}`,
  )
  const unreadable: ChainUnavailable[] = []
  for (const candidate of due) {
    try {
      if (!(await settle(deps, chain, watched, candidate))) await scheduleRecheck(deps, candidate)
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

/** @returns whether it is known what became of the transaction */
async function settle(
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
    await tx.$executeRaw`UPDATE chain_candidates SET state = 'vanished' WHERE txid = ${txid} AND state = 'waiting'`
    await stopConfirming(deps, tx, txid)
  })
  deps.jobs.wake()
  return true
}

/** The receipt with the transfers of all our tokens. */
async function wholeReceipt(
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
  const pause = checks < PATIENT_CHECKS ? CHECK_MS.first : CHECK_MS.later
  const next = new Date(clock.now().getTime() + pause)
  await db.write(
    (tx) =>
      tx.$executeRaw`UPDATE chain_candidates SET checks = checks + 1, next_check_at = ${next} WHERE txid = ${txid}`,
  )
}
