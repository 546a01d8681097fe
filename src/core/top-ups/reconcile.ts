import type { Tx } from '../database/database.ts'
import type { Essentials } from '../jobs/essentials.ts'
import type { ChainReader, UsdtUnits } from './chain-reader.ts'
import type { WatchedWallet } from './record-receipt.ts'
import { updateScan } from './scan-state.ts'
import type { TopUpTerms } from './top-up-terms.ts'
import { type Disagreement, movementsOf } from './wallet-movements.ts'
import { usdtText } from '../usdt.ts'
import { happened } from '../facts/happened.ts'
import type { Difference } from '../ledger/rule.ts'

const MINUTE_MS = 60_000
/** An index lists everything within this time. */
const LAG_MS = 30 * MINUTE_MS
/** Time in ms after the last agreement from which on a difference counts as real. */
const PERSISTENT_MS = 4 * LAG_MS

/** The balance of the wallet on the chain, beside the one expected by its movements. */
interface Statement {
  readonly balance: UsdtUnits
  /** The balance of the last agreement, plus all movements since. */
  readonly expected: UsdtUnits
  /** Block time up to which the movements are counted. */
  readonly until: Date
  readonly disagreements: readonly Disagreement[]
}

/**
 * Compares the wallet's irreversible balance with its proven movements (rules 10.11); see {@link movementsOf}.
 *
 * @returns undefined before the first agreement, or while transfers are under way
 * @throws ChainUnavailable
 */
async function walletStatement(
  deps: Pick<Essentials, 'db' | 'clock'>,
  chain: ChainReader,
  watched: WatchedWallet,
): Promise<Statement | undefined> {
  const last = await lastAgreement(deps.db.read, watched)
  if (!last) return undefined
  const balance = await chain.balance(watched.wallet, watched.contract)
  const since = new Date(Date.parse(last.at) + 1)
  const settled = new Date(deps.clock.now().getTime() - LAG_MS)
  const moved = await movementsOf(deps, chain, {
    watched,
    since,
    settled,
    sum: balance - BigInt(last.balance),
  })
  if (!moved || (await chain.balance(watched.wallet, watched.contract)) !== balance) return undefined
  const { sum, newest, disagreements } = moved
  const until = new Date(Math.max(Date.parse(last.at), settled.getTime(), newest))
  return { balance, expected: BigInt(last.balance) + sum, until, disagreements }
}

/**
 * Reconciles a wallet: records the agreement with the chain, or tells the operator once about a difference that persists.
 *
 * @returns whether there is an agreement now
 */
export async function reconcile(
  deps: Essentials,
  chain: ChainReader,
  watched: WatchedWallet,
): Promise<boolean> {
  const last = await lastAgreement(deps.db.read, watched)
  if (!last) return setBaseline(deps, chain, watched)
  const statement = await walletStatement(deps, chain, watched)
  if (!statement) return false
  const { balance, expected, until } = statement
  const now = deps.clock.now()
  if (balance !== expected && now.getTime() - Date.parse(last.at) < PERSISTENT_MS) return false
  await deps.db.write(async (tx) => {
    await agree(tx, watched, balance, until)
    if (balance === expected) return
    happened(tx, {
      kind: 'reconciliation_mismatch',
      subject: now.toISOString(),
      data: { chainUnits: balance.toString(), bookUnits: expected.toString(), asOf: last.at },
    })
  })
  return true
}

export interface WalletAudit {
  readonly differences: readonly Difference[]
  /** What is wrong with the index and not with the books, in words. */
  readonly warnings: readonly string[]
}

/**
 * Audits whether the wallet holds what the books say (rules 10.11).
 *
 * @returns undefined when nothing can be compared: before the first agreement, while transfers are under way, or when no USDT is taken
 * @throws ChainUnavailable
 */
export async function auditWallet(
  deps: Essentials & {
    readonly topUps: { readonly terms: TopUpTerms; readonly chain: ChainReader } | undefined
  },
): Promise<WalletAudit | undefined> {
  const { topUps } = deps
  const statement = topUps && (await walletStatement(deps, topUps.chain, topUps.terms))
  if (!statement) return undefined
  const { balance, expected, disagreements } = statement
  const difference = {
    rule: 'the wallet holds on the chain what has come and gone by the books',
    subject: topUps.terms.wallet,
    detail: `${usdtText(balance)} USDT instead of ${usdtText(expected)}`,
  }
  return {
    differences: balance === expected ? [] : [difference],
    warnings: disagreements.map(
      ({ txid, direction, listed, proven }) =>
        `${txid}: the index lists ${usdtText(listed)} USDT ${direction}, the receipt proves ${usdtText(proven)}`,
    ),
  }
}

/** Records the first balance, at a time without recent transfers, of which the balance might include only some. */
async function setBaseline(deps: Essentials, chain: ChainReader, watched: WatchedWallet): Promise<boolean> {
  const now = deps.clock.now()
  const query = { ...watched, since: new Date(now.getTime() - 5 * MINUTE_MS) }
  const balance = await chain.balance(watched.wallet, watched.contract)
  for (const direction of ['in', 'out'] as const)
    if ((await chain.listTransfers({ ...query, direction })).transfers.length > 0) return false
  await deps.db.write((tx) => agree(tx, watched, balance, new Date(now.getTime() - MINUTE_MS)))
  return true
}

function agree(tx: Tx, watched: WatchedWallet, balance: UsdtUnits, until: Date): Promise<void> {
  return updateScan(tx, watched, { balanceUnits: balance.toString(), reconciledAt: until })
}

/** Reads the balance and time of the last agreement with the chain; undefined before the first. */
function lastAgreement(db: Essentials['db']['read'], { wallet, contract }: WatchedWallet) {
  return db.$kysely
    .selectFrom('chainScans')
    .select(['balanceUnits as balance', 'reconciledAt as at'])
    .where('wallet', '=', wallet)
    .where('contract', '=', contract)
    .where('balanceUnits', 'is not', null)
    .$narrowType<{ balance: string; at: string }>()
    .executeTakeFirst()
}
