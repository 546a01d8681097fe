import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { Difference } from '../ledger/audit.ts'
import { announceToOperators } from '../notices/announce.ts'
import type { ChainReader, TransferList, UsdtUnits } from './chain-reader.ts'
import type { WatchedWallet } from './record-receipt.ts'
import { usdtText } from './usdt.ts'

const MINUTE_MS = 60_000
/** An index lists everything within this time; what still differs so long after the last agreement is real. */
const LAG_MS = 30 * MINUTE_MS
const PERSISTENT_MS = 4 * LAG_MS

/** The wallet on the chain, beside what is known of its movements. */
export interface Statement {
  readonly balance: UsdtUnits
  /** The balance of the last agreement, and everything that came and went since. */
  readonly expected: UsdtUnits
  /** Up to which block time the movements are counted. */
  readonly until: Date
}

interface Agreement {
  readonly balance: string
  readonly at: string
}

/**
 * Holds the wallet's irreversible balance against the transfers that the index lists (contract 10: audit).
 *
 * @returns undefined while there is nothing to compare with, or the wallet moves just now
 * @throws ChainUnavailable
 */
export async function walletStatement(
  { db, clock }: Pick<CoreDeps, 'db' | 'clock'>,
  chain: ChainReader,
  { wallet, contract }: WatchedWallet,
): Promise<Statement | undefined> {
  const last = await lastAgreement(db.read, { wallet, contract })
  if (!last) return undefined
  const balance = await chain.balance(wallet, contract)
  const query = { wallet, contract, since: new Date(Date.parse(last.at) + 1), solidOnly: true }
  const arrived = await chain.listTransfers(query)
  const left = await chain.listTransfers({ ...query, direction: 'out' })
  if (!arrived.complete || !left.complete || (await chain.balance(wallet, contract)) !== balance)
    return undefined
  const moved = [arrived, left].flatMap(({ transfers }) =>
    transfers.map(({ blockTime }) => blockTime.getTime()),
  )
  return {
    balance,
    expected: BigInt(last.balance) + sum(arrived) - sum(left),
    until: new Date(Math.max(Date.parse(last.at), clock.now().getTime() - LAG_MS, ...moved)),
  }
}

/**
 * Of the loop: agrees with the chain anew, or tells the operator about a difference that persists, once.
 *
 * @returns whether there is an agreement now
 */
export async function reconcile(
  deps: CoreDeps,
  chain: ChainReader,
  watched: WatchedWallet,
): Promise<boolean> {
  const last = await lastAgreement(deps.db.read, watched)
  if (!last) return agreeForTheFirstTime(deps, chain, watched)
  const statement = await walletStatement(deps, chain, watched)
  if (!statement) return false
  const { balance, expected, until } = statement
  if (balance !== expected) {
    const now = deps.clock.now()
    if (now.getTime() - Date.parse(last.at) < PERSISTENT_MS) return false
    await deps.db.write((tx) =>
      announceToOperators(deps, tx, {
        kind: 'reconciliation_mismatch',
        subject: now.toISOString(),
        data: { chainUnits: balance.toString(), bookUnits: expected.toString(), asOf: last.at },
      }),
    )
    deps.jobs.wake()
  }
  await agree(deps, watched, balance, until)
  return true
}

/**
 * Whether the wallet holds what the books say (contract 10: audit).
 *
 * @returns undefined while there is nothing to compare with: before the first agreement, in a moment of movement, without a chain
 * @throws ChainUnavailable
 */
export async function auditWallet(deps: CoreDeps): Promise<Difference[] | undefined> {
  const { topUps } = deps
  const statement = topUps && (await walletStatement(deps, topUps.chain, topUps.terms))
  if (!statement) return undefined
  if (statement.balance === statement.expected) return []
  return [
    {
      rule: 'the wallet holds on the chain what has come and gone by the books',
      subject: topUps.terms.wallet,
      detail: `${usdtText(statement.balance)} USDT instead of ${usdtText(statement.expected)}`,
    },
  ]
}

/** Begins in a quiet moment, in which nobody can say whether a movement is in the balance already. */
async function agreeForTheFirstTime(
  deps: CoreDeps,
  chain: ChainReader,
  watched: WatchedWallet,
): Promise<boolean> {
  const now = deps.clock.now()
  const query = { ...watched, since: new Date(now.getTime() - 5 * MINUTE_MS) }
  const balance = await chain.balance(watched.wallet, watched.contract)
  for (const direction of ['in', 'out'] as const)
    if ((await chain.listTransfers({ ...query, direction })).transfers.length > 0) return false
  await agree(deps, watched, balance, new Date(now.getTime() - MINUTE_MS))
  return true
}

function agree(deps: CoreDeps, { wallet, contract }: WatchedWallet, balance: UsdtUnits, until: Date) {
  return deps.db.write(
    (
      tx,
    ) => tx.$executeRaw`UPDATE chain_scans SET balance_units = ${balance.toString()}, reconciled_at = ${until}
                           WHERE wallet = ${wallet} AND contract = ${contract}`,
  )
}

async function lastAgreement(
  db: CoreDeps['db']['read'],
  { wallet, contract }: WatchedWallet,
): Promise<Agreement | undefined> {
  const [scan] = await selectJson<Agreement>(
    db,
    Prisma.sql`SELECT json_object('balance', balance_units, 'at', reconciled_at) AS json FROM chain_scans
               WHERE wallet = ${wallet} AND contract = ${contract} AND balance_units IS NOT NULL`,
  )
  return scan
}

function sum({ transfers }: TransferList): UsdtUnits {
  return transfers.reduce((total, { units }) => total + units, 0n)
}
