import type { Clock } from '../clock.ts'
import type { Readable, Tx } from '../database/database.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { Throttle } from '../throttle.ts'
import { wholeReceipt } from './candidates.ts'
import type { PaymentNetwork, WatchedWallet } from './payment-network.ts'
import { recordReceipt } from './record-receipt.ts'
import { findScan } from './scan-state.ts'
import type { Transaction } from './transfer-names.ts'
import { addsWork } from '../jobs/added-work.ts'

/** What the chain says of a transaction that somebody has named (rules 8.15). */
export type NamedAnswer =
  /** The chain does not know it. */
  | 'unknown'
  /** It is not irreversible yet. */
  | 'unconfirmed'
  /** It was reverted, or moves the network's own coin only. */
  | 'failed'
  /** It moves another token than the one that is taken. */
  | 'other_token'
  /** It moves the token, to nobody whom the service knows. */
  | 'other_address'
  /** It is older than the first scan of the wallet. */
  | 'too_old'
  /** Its transfers are recorded. */
  | 'booked'

/** Transactions that are looked up in one scan. */
const BATCH = 10
/** Age in ms up to which somebody may still wait for an answer. */
const WAITED_MS = 60_000
/** Time in ms for which answers are kept. */
const KEPT_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000

/** Limits how often the chain is asked for transactions that people name: 5 times a minute for an account, 30 times for all. */
export function limitsOfLookUps(options: { readonly clock: Clock; readonly servers: () => number }) {
  const limits = { ...options, windowMs: MINUTE_MS, error: 'rate_limited' } as const
  const each = new Throttle<number>({ ...limits, limit: 5 })
  const all = new Throttle<'all'>({ ...limits, limit: 30 })
  return {
    /** @throws rate_limited */
    pass(accountId: number): void {
      each.pass(accountId)
      all.pass('all')
    },
  }
}

/** Requests the look-up of a transaction; an earlier final answer is kept. */
export async function nameTransaction(tx: Tx, transaction: Transaction, now: Date): Promise<void> {
  const asked = { answer: null, askedAt: now }
  await tx.$kysely
    .deleteFrom('lookedUpTransactions')
    .where('askedAt', '<', new Date(now.getTime() - KEPT_MS).toISOString())
    .execute()
  await tx.$kysely
    .insertInto('lookedUpTransactions')
    .values({ ...transaction, ...asked })
    .onConflict((known) =>
      known
        .columns(['network', 'txid'])
        .doUpdateSet(asked)
        .where('lookedUpTransactions.answer', 'in', ['unknown', 'unconfirmed']),
    )
    .execute()
  addsWork(tx, 'chain')
}

/** Returns the answer to the last request; undefined while there is none. */
export async function answerTo(
  db: Readable,
  { network, txid }: Transaction,
): Promise<NamedAnswer | undefined> {
  const named = await db.$kysely
    .selectFrom('lookedUpTransactions')
    .select('answer')
    .where('network', '=', network)
    .where('txid', '=', txid)
    .$narrowType<{ answer: NamedAnswer | null }>()
    .executeTakeFirst()
  return named?.answer ?? undefined
}

/** Query for the transactions of a network that somebody waits for. */
export function unansweredSince({ $kysely }: Readable, network: string, now: Date) {
  return $kysely
    .selectFrom('lookedUpTransactions')
    .select('txid')
    .where('network', '=', network)
    .where('askedAt', '>=', new Date(now.getTime() - WAITED_MS).toISOString())
    .where('answer', 'is', null)
}

/**
 * Looks up the transactions that somebody waits for, and books those that pay to a wallet of ours, as a scan would.
 *
 * @param watched our wallets
 * @throws ChainUnavailable; what was not answered is looked up by the next scan
 */
export async function answerNamedTransactions(
  deps: Essentials,
  network: PaymentNetwork,
  watched: readonly WatchedWallet[],
): Promise<void> {
  const waiting = await unansweredSince(deps.db.read, network.id, deps.clock.now())
    .orderBy('askedAt')
    .limit(BATCH)
    .execute()
  for (const { txid } of waiting) {
    const answer = await answerOf(deps, network, watched, txid)
    await deps.db.write((tx) =>
      tx.$kysely
        .updateTable('lookedUpTransactions')
        .set({ answer })
        .where('network', '=', network.id)
        .where('txid', '=', txid)
        .execute(),
    )
  }
}

async function answerOf(
  deps: Essentials,
  network: PaymentNetwork,
  watched: readonly WatchedWallet[],
  txid: string,
): Promise<NamedAnswer> {
  const receipt = await wholeReceipt(network, txid, watched)
  if (!receipt) return (await network.knows(txid)) ? 'unconfirmed' : 'unknown'
  const { success, transfers, blockTime } = receipt
  if (!success) return 'failed'
  if (transfers.length === 0) return 'other_token'
  const ours = watched.find(({ wallet, contract }) =>
    transfers.some((transfer) => transfer.to === wallet && transfer.contract === contract),
  )
  if (!ours) return 'other_address'
  const scan = await findScan(deps.db.read, { ...ours, network: network.id })
  if (!scan || blockTime < new Date(scan.createdAt)) return 'too_old'
  await recordReceipt(deps, network, watched, receipt)
  return 'booked'
}
