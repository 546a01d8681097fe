import type { Micros } from '../money.ts'
import type { Usdt } from './usdt.ts'

/** On which terms the operator takes USDT (rules 9.6). */
export interface TopUpTerms {
  /** Where payments arrive; base58. */
  readonly wallet: string
  /** The token contract; base58. */
  readonly contract: string
  /** 10^-6 of the account currency per USDT. */
  readonly rate: Micros
  readonly min: Usdt
  readonly max: Usdt
  /** How long a top-up awaits its payment. */
  readonly expireMs: number
  /** How long after that a payment is still taken for it. */
  readonly graceMs: number
}

/** A clock of ours may be so far behind the chain's: a payment cannot be older than its top-up, but look so (rules 8.8). */
export const SKEW_MS = 60_000
/** Blocks after which nobody can undo a transaction: 19 of the 27 super representatives have built upon it. */
export const CONFIRMATIONS = 19
/** TRON makes a block every 3 seconds. */
export const BLOCK_MS = 3_000
/** From the block until it is irreversible. */
export const SOLID_MS = CONFIRMATIONS * BLOCK_MS
