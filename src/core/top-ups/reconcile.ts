import type { Tx } from '../database/database.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { rawText, toUnits } from './network-amounts.ts'
import {
  ChainUnavailable,
  type OpenNetwork,
  type PaymentNetwork,
  type RawAmount,
  type WatchedWallet,
} from './payment-network.ts'
import { isOf, updateScan, type Watched } from './scan-state.ts'
import { type Disagreement, movementsOf } from './wallet-movements.ts'
import { happened } from '../facts/happened.ts'
import type { Difference } from '../ledger/rule.ts'

const MINUTE_MS = 60_000
/** How many times as long as the list may be late a difference must last to count as real. */
const PERSISTENT = 4

/** The balance of the wallet on the chain, beside the one expected by its movements. */
interface Statement {
  readonly balance: RawAmount
  /** The balance of the last agreement, plus all movements since. */
  readonly expected: RawAmount
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
  network: PaymentNetwork,
  watched: WatchedWallet,
): Promise<Statement | undefined> {
  const last = await lastAgreement(deps.db.read, on(network, watched))
  if (!last) return undefined
  const balance = await network.balance(watched.wallet, watched.contract)
  const since = new Date(Date.parse(last.at) + 1)
  const settled = new Date(deps.clock.now().getTime() - network.listedMs)
  const moved = await movementsOf(deps, network, {
    watched,
    since,
    settled,
    sum: balance - BigInt(last.balance),
  })
  if (!moved || (await network.balance(watched.wallet, watched.contract)) !== balance) return undefined
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
  network: PaymentNetwork,
  watched: WatchedWallet,
): Promise<boolean> {
  const last = await lastAgreement(deps.db.read, on(network, watched))
  if (!last) return setBaseline(deps, network, watched)
  const statement = await walletStatement(deps, network, watched)
  if (!statement) return false
  const { balance, expected, until } = statement
  const now = deps.clock.now()
  if (balance !== expected && now.getTime() - Date.parse(last.at) < PERSISTENT * network.listedMs)
    return false
  await deps.db.write(async (tx) => {
    await agree(tx, on(network, watched), balance, until)
    if (balance === expected) return
    happened(tx, {
      kind: 'reconciliation_mismatch',
      subject: `${network.id} ${now.toISOString()}`,
      data: {
        network: network.id,
        chainUnits: toUnits(network, balance).toString(),
        bookUnits: toUnits(network, expected).toString(),
        asOf: last.at,
      },
    })
  })
  return true
}

/** What the audit of a wallet has found. */
export interface WalletAudit {
  /** Id of its network. */
  readonly network: string
  readonly differences: readonly Difference[]
  /** What is wrong with the index and not with the books, in words. */
  readonly warnings: readonly string[]
  /** Why nothing could be compared: what was wrong with the chain; `no quiet moment`: before the first agreement, or while transfers are under way. */
  readonly notCompared?: { readonly unread: string } | 'no quiet moment'
}

/** Audits whether each wallet holds what the books say (rules 10.11); a network that cannot be read does not hide the others. */
export async function auditWallets(
  deps: Essentials & {
    readonly topUps: { readonly scanners: readonly { readonly open: OpenNetwork }[] } | undefined
  },
): Promise<WalletAudit[]> {
  const audits: WalletAudit[] = []
  for (const { open } of deps.topUps?.scanners ?? []) audits.push(await auditWallet(deps, open))
  return audits
}

async function auditWallet(deps: Essentials, { network, ...watched }: OpenNetwork): Promise<WalletAudit> {
  const empty = { network: network.id, differences: [], warnings: [] }
  try {
    const statement = await walletStatement(deps, network, watched)
    if (!statement) return { ...empty, notCompared: 'no quiet moment' }
    const { balance, expected, disagreements } = statement
    const text = (raw: RawAmount) => rawText(network, raw)
    const difference = {
      rule: 'the wallet holds on the chain what has come and gone by the books',
      subject: watched.wallet,
      detail: `${text(balance)} USDT instead of ${text(expected)}`,
    }
    return {
      ...empty,
      differences: balance === expected ? [] : [difference],
      warnings: disagreements.map(
        ({ txid, direction, listed, proven }) =>
          `${txid}: the index lists ${text(listed)} USDT ${direction}, the receipt proves ${text(proven)}`,
      ),
    }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    return { ...empty, notCompared: { unread: error.message } }
  }
}

/** Names a wallet with its network. */
function on({ id }: PaymentNetwork, { wallet, contract }: WatchedWallet): Watched {
  return { network: id, wallet, contract }
}

/** Records the first balance, at a time without recent transfers, of which the balance might include only some. */
async function setBaseline(
  deps: Essentials,
  network: PaymentNetwork,
  watched: WatchedWallet,
): Promise<boolean> {
  const now = deps.clock.now()
  const query = { ...watched, after: await network.cursorAt(new Date(now.getTime() - 5 * MINUTE_MS)) }
  const balance = await network.balance(watched.wallet, watched.contract)
  for (const direction of ['in', 'out'] as const)
    if ((await network.listTransfers({ ...query, direction })).transfers.length > 0) return false
  await deps.db.write((tx) => agree(tx, on(network, watched), balance, new Date(now.getTime() - MINUTE_MS)))
  return true
}

function agree(tx: Tx, watched: Watched, balance: RawAmount, until: Date): Promise<void> {
  return updateScan(tx, watched, { balanceUnits: balance.toString(), reconciledAt: until })
}

/** Reads the balance and time of the last agreement with the chain; undefined before the first. */
function lastAgreement(db: Essentials['db']['read'], watched: Watched) {
  return db.$kysely
    .selectFrom('chainScans')
    .select(['balanceUnits as balance', 'reconciledAt as at'])
    .where(isOf(watched))
    .where('balanceUnits', 'is not', null)
    .$narrowType<{ balance: string; at: string }>()
    .executeTakeFirst()
}
