import type { Clock } from '../../core/clock.ts'
import { addressOf, toBase58, toHex20, type Hex20 } from './address.ts'
import { blockId, heightAt, SOLID_AFTER, type Header } from './blocks.ts'
import type { RawData } from './raw-data.ts'
import { createTransaction, type Transaction } from './transaction.ts'
import type { Chain, Placement, Token } from './types.ts'

/** A transaction in its block. */
export interface Placed {
  readonly transaction: Transaction
  readonly height: number
}

/** What a sender decides of a transaction; the rest follows from where and when it is sent. */
type Draft = Pick<RawData, 'owner' | 'contract' | 'data'> & Pick<Transaction, 'logs' | 'returned'>

export type ChainState = ReturnType<typeof createChain>

const FEE_LIMIT_SUN = 100_000_000
/** How long a wallet lets a transaction wait for a block. */
const EXPIRES_MS = 60_000

/**
 * Makes the chain itself: its blocks by the clock, and the few transactions in them.
 *
 * @param endowment what an address holds of a token from the beginning
 */
export function createChain({
  clock,
  endowment,
}: {
  clock: Clock
  endowment: (owner: Hex20, token: Hex20) => bigint
}) {
  const tokens = new Map<Hex20, Token>()
  const placements = new Map<string, Placed>()
  const dropped = new Map<string, Transaction>()
  /** All placements in the order of the chain; undefined: to be sorted again. */
  let ordered: readonly Placed[] | undefined
  /** First replaced block of every reorganisation. */
  const forks: number[] = []
  let lastTimestamp = 0

  const now = () => clock.now().getTime()
  const head = () => heightAt(now())
  const solidHead = () => head() - SOLID_AFTER
  const idOf = (height: number) => blockId(height, forks.filter((first) => first <= height).length)

  /** Returns the transactions in the order of the chain, those of future blocks at the end. */
  function transactions(): readonly Placed[] {
    // Sorting keeps the order in which the transactions of one block came.
    ordered ??= [...placements.values()].toSorted((a, b) => a.height - b.height)
    return ordered
  }

  const inBlock = (height: number) =>
    transactions().flatMap((placed) => (placed.height === height ? placed.transaction : []))

  function place(transaction: Transaction, height: number): void {
    placements.delete(transaction.txid)
    placements.set(transaction.txid, { transaction, height })
    ordered = undefined
  }

  /** Returns the timestamp of a transaction, as wallets set it; no two are the same, so that equal payments differ in their ids. */
  function stamp(at: number): number {
    lastTimestamp = Math.max(at, lastTimestamp + 1)
    return lastTimestamp
  }

  function send(draft: Draft, { at = clock.now(), outcome = 'SUCCESS' }: Placement): string {
    const { owner, contract, data, logs, returned } = draft
    const height = heightAt(at.getTime())
    const timestamp = stamp(at.getTime())
    const raw: RawData = {
      owner,
      contract,
      data,
      refBlockId: idOf(height - 1),
      timestamp,
      expiration: timestamp + EXPIRES_MS,
      feeLimit: FEE_LIMIT_SUN,
    }
    const transaction = createTransaction({ raw, outcome, logs, returned })
    place(transaction, height)
    return transaction.txid
  }

  const addToken: Chain['addToken'] = ({ address, ...description }) => {
    const hex = address === undefined ? addressOf(JSON.stringify(description)) : toHex20(address)
    const token = { address: toBase58(hex), ...description }
    tokens.set(hex, token)
    return token
  }

  /** Takes the transaction out of its block; the block and all after it are replaced. */
  function drop(txid: string): void {
    const placed = placements.get(txid)
    if (!placed) throw new Error(`the transaction ${txid} is in no block`)
    if (placed.height <= solidHead()) throw new Error(`the transaction ${txid} is irreversible`)
    placements.delete(txid)
    dropped.set(txid, placed.transaction)
    forks.push(placed.height)
    ordered = undefined
  }

  function include(txid: string, at = clock.now()): void {
    if (placements.has(txid)) drop(txid)
    const transaction = dropped.get(txid)
    if (!transaction) throw new Error(`there is no transaction ${txid}`)
    dropped.delete(txid)
    place(transaction, heightAt(at.getTime()))
  }

  return {
    now,
    head,
    solidHead,
    tokens: tokens as ReadonlyMap<Hex20, Token>,
    addToken,
    send,
    drop,
    include,
    transactions,
    inBlock,
    find: (txid: string): Placed | undefined => placements.get(txid),
    header: (height: number): Header => ({
      height,
      id: idOf(height),
      parentId: idOf(height - 1),
      txids: inBlock(height).map(({ txid }) => txid),
    }),
    /** Returns what an address holds after a block; 0 for one that paid more than it got, which is allowed here. */
    balanceAfter(height: number, owner: Hex20, token: Hex20): bigint {
      const held = transactions()
        .filter((placed) => placed.height <= height)
        .flatMap(({ transaction }) => transaction.logs)
        .filter(({ name, contract }) => name === 'Transfer' && contract === token)
        .flatMap(({ movement }) => movement ?? [])
        .reduce(
          (sum, { from, to, units }) => sum + (to === owner ? units : 0n) - (from === owner ? units : 0n),
          endowment(owner, token),
        )
      return held < 0n ? 0n : held
    },
  }
}
