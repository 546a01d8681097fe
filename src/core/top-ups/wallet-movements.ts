import type { Essentials } from '../jobs/essentials.ts'
import type { ListedTransfer, PaymentNetwork, RawAmount, Receipt, WatchedWallet } from './payment-network.ts'
import type { Watched } from './scan-state.ts'

/** Receipts requested for one statement, those of the largest amounts first; the rest is counted as it is listed. */
const MAX_PROOFS = 200

type Direction = 'in' | 'out'

/** A transaction whose amount in the index differs from that in its receipt. */
export interface Disagreement {
  readonly txid: string
  readonly direction: Direction
  readonly listed: RawAmount
  readonly proven: RawAmount
}

/** The amount that one transaction moved to, or from, the wallet. */
interface Movement {
  readonly txid: string
  readonly direction: Direction
  readonly blockTime: Date
  /** By the index; 0 when it does not list it. */
  readonly listed: RawAmount
  /** By the receipt; undefined while none was read. */
  readonly proven: RawAmount | undefined
}

interface Movements {
  /** Amounts moved in less amounts moved out. */
  readonly sum: RawAmount
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
  network: PaymentNetwork,
  span: { watched: WatchedWallet; since: Date; settled: Date; sum: RawAmount },
): Promise<Movements | undefined> {
  const { watched, since, settled } = span
  const query = { ...watched, after: await network.cursorAt(since), finalOnly: true }
  const arrived = await network.listTransfers(query)
  const left = await network.listTransfers({ ...query, direction: 'out' })
  if (!arrived.complete || !left.complete) return undefined
  const known = new Map<string, Movement>()
  const isMeant = ({ blockTime }: ListedTransfer) => blockTime >= since
  addListed(known, 'in', arrived.transfers.filter(isMeant))
  addListed(known, 'out', left.transfers.filter(isMeant))
  await addBooked(deps, known, { ...watched, network: network.id }, since)
  if (sumOf(known) !== span.sum) {
    const proofs = await prove(network, watched, [...known.values()], settled)
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

function sumOf(movements: ReadonlyMap<string, Movement>): RawAmount {
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
  for (const { txid, raw, blockTime } of transfers.filter(({ from, to }) => from !== to)) {
    const name = nameOf({ txid, direction })
    const listed = (known.get(name)?.listed ?? 0n) + raw
    known.set(name, { txid, direction, blockTime, listed, proven: undefined })
  }
}

/** Adds the transfers that were booked from receipts. */
async function addBooked(
  { db }: Pick<Essentials, 'db'>,
  known: Map<string, Movement>,
  { network, wallet, contract }: Watched,
  since: Date,
): Promise<void> {
  const booked = await db.read.$kysely
    .selectFrom('usdtTransfers')
    .select(({ fn }) => ['txid', fn.coalesce('raw', 'units').as('raw'), 'blockTime'])
    .where('network', '=', network)
    .where('wallet', '=', wallet)
    .where('contract', '=', contract)
    .where('blockTime', '>=', since.toISOString())
    .where('fromAddress', '<>', wallet)
    .orderBy('id')
    .execute()
  for (const { txid, raw, blockTime } of booked) {
    const name = nameOf({ txid, direction: 'in' })
    const before = known.get(name)
    const proven = (before?.proven ?? 0n) + BigInt(raw)
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
  network: PaymentNetwork,
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
    const receipt = await network.receipt(claim.txid, contract)
    if (!receipt && claim.blockTime > settled) return undefined
    proofs.push({ ...claim, proven: provenBy(receipt, claim.direction, wallet) })
  }
  return proofs
}

/** Returns the amount that a receipt moves in one direction; 0 when there is no receipt, or the transaction was reverted. */
function provenBy(receipt: Receipt | undefined, direction: Direction, wallet: string): RawAmount {
  const [ours, theirs] = direction === 'in' ? (['to', 'from'] as const) : (['from', 'to'] as const)
  return (receipt?.transfers ?? [])
    .filter((transfer) => transfer[ours] === wallet && transfer[theirs] !== wallet)
    .reduce((sum, { raw }) => sum + raw, 0n)
}
