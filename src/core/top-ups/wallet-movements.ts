import type { Essentials } from '../jobs/essentials.ts'
import type { ChainReader, ListedTransfer, Receipt, UsdtUnits } from './chain-reader.ts'
import type { WatchedWallet } from './record-receipt.ts'

/** Receipts requested for one statement, those of the largest amounts first; the rest is counted as it is listed. */
const MAX_PROOFS = 200

type Direction = 'in' | 'out'

/** A transaction whose amount in the index differs from that in its receipt; units of 10^-6 USDT. */
export interface Disagreement {
  readonly txid: string
  readonly direction: Direction
  readonly listed: UsdtUnits
  readonly proven: UsdtUnits
}

/** The amount that one transaction moved to, or from, the wallet. */
interface Movement {
  readonly txid: string
  readonly direction: Direction
  readonly blockTime: Date
  /** By the index; 0 when it does not list it. */
  readonly listed: UsdtUnits
  /** By the receipt; undefined while none was read. */
  readonly proven: UsdtUnits | undefined
}

interface Movements {
  /** Amounts moved in less amounts moved out. */
  readonly sum: UsdtUnits
  /** Block time of the newest that is counted, in milliseconds; 0 when there is none. */
  readonly newest: number
  readonly disagreements: readonly Disagreement[]
}

/**
 * Reads the movements of a wallet. Booked transfers are proven by their receipts, whatever the index lists. Others (outgoing funds, dust
 * that is never booked) count as the index lists them, if their sum matches the change of the balance; if not, their receipts are
 * read.
 *
 * @param span block times from `since` on; `settled`: a listed transfer before it without a receipt never happened; `sum`: the
 *   change of the balance
 * @returns undefined when it cannot be determined now: the list is too long to be read, or a listed transfer has no receipt yet
 * @throws ChainUnavailable
 */
export async function movementsOf(
  deps: Pick<Essentials, 'db'>,
  chain: ChainReader,
  span: { watched: WatchedWallet; since: Date; settled: Date; sum: UsdtUnits },
): Promise<Movements | undefined> {
  const { watched, since, settled } = span
  const query = { ...watched, since, solidOnly: true }
  const arrived = await chain.listTransfers(query)
  const left = await chain.listTransfers({ ...query, direction: 'out' })
  if (!arrived.complete || !left.complete) return undefined
  const known = new Map<string, Movement>()
  addListed(known, 'in', arrived.transfers)
  addListed(known, 'out', left.transfers)
  await addBooked(deps, known, watched, since)
  if (sumOf(known) !== span.sum) {
    const proofs = await prove(chain, watched, [...known.values()], settled)
    if (!proofs) return undefined
    for (const movement of proofs) known.set(nameOf(movement), movement)
  }
  const movements = [...known.values()]
  return {
    sum: sumOf(known),
    newest: Math.max(
      0,
      ...movements.filter((each) => unitsOf(each) > 0n).map((each) => each.blockTime.getTime()),
    ),
    disagreements: movements.flatMap(({ txid, direction, listed, proven = listed }) =>
      proven === listed ? [] : { txid, direction, listed, proven },
    ),
  }
}

const nameOf = ({ txid, direction }: Pick<Movement, 'txid' | 'direction'>) => `${direction} ${txid}`
const unitsOf = ({ listed, proven = listed }: Movement) => proven

function sumOf(movements: ReadonlyMap<string, Movement>): UsdtUnits {
  return [...movements.values()].reduce(
    (sum, movement) => sum + (movement.direction === 'in' ? unitsOf(movement) : -unitsOf(movement)),
    0n,
  )
}

function addListed(
  known: Map<string, Movement>,
  direction: Direction,
  transfers: readonly ListedTransfer[],
): void {
  // Transfers of the wallet to itself move nothing.
  for (const { txid, units, blockTime } of transfers.filter(({ from, to }) => from !== to)) {
    const name = nameOf({ txid, direction })
    const listed = (known.get(name)?.listed ?? 0n) + units
    known.set(name, { txid, direction, blockTime, listed, proven: undefined })
  }
}

/** Adds the transfers that were booked from receipts. */
async function addBooked(
  { db }: Pick<Essentials, 'db'>,
  known: Map<string, Movement>,
  { wallet, contract }: WatchedWallet,
  since: Date,
): Promise<void> {
  const booked = await db.read.$kysely
    .selectFrom('usdtTransfers')
    .select(['txid', 'units', 'blockTime'])
    .where('wallet', '=', wallet)
    .where('contract', '=', contract)
    .where('blockTime', '>=', since.toISOString())
    .where('fromAddress', '<>', wallet)
    .orderBy('id')
    .execute()
  for (const { txid, units, blockTime } of booked) {
    const name = nameOf({ txid, direction: 'in' })
    const before = known.get(name)
    const proven = (before?.proven ?? 0n) + BigInt(units)
    known.set(name, {
      txid,
      direction: 'in',
      blockTime: new Date(blockTime),
      listed: before?.listed ?? 0n,
      proven,
    })
  }
}

/**
 * Reads the receipts of movements that only the index lists.
 *
 * @returns undefined when one has no receipt and is still too new for it
 */
async function prove(
  chain: ChainReader,
  { wallet, contract }: WatchedWallet,
  movements: readonly Movement[],
  settled: Date,
): Promise<Movement[] | undefined> {
  const claims = movements
    .filter(({ listed, proven }) => proven === undefined && listed > 0n)
    .toSorted((a, b) => (a.listed < b.listed ? 1 : -1))
    .slice(0, MAX_PROOFS)
  const proofs: Movement[] = []
  for (const claim of claims) {
    const receipt = await chain.receipt(claim.txid, contract)
    if (!receipt && claim.blockTime > settled) return undefined
    proofs.push({ ...claim, proven: provenBy(receipt, claim.direction, wallet) })
  }
  return proofs
}

/** Returns the amount that a receipt moves in one direction; 0 when there is no receipt, or the transaction was reverted. */
function provenBy(receipt: Receipt | undefined, direction: Direction, wallet: string): UsdtUnits {
  const [ours, theirs] = direction === 'in' ? (['to', 'from'] as const) : (['from', 'to'] as const)
  return (receipt?.transfers ?? [])
    .filter((transfer) => transfer[ours] === wallet && transfer[theirs] !== wallet)
    .reduce((sum, { units }) => sum + units, 0n)
}
