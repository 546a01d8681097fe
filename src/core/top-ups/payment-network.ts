/** What the service reads from the networks over which USDT is paid; implemented in `src/networks`. Nothing is ever written to them. */

import type { NetworkName } from '../network-name.ts'

/** Units of 10^-6 USDT, in which amounts are compared and credited. Wider than any balance: a hostile contract may name any number. */
export type UsdtUnits = bigint

/** An amount as the token contract counts, in units of 10^-{@link NetworkTraits.decimals} USDT. */
export type RawAmount = bigint

/** A place in the record of a network, such as a time or the number of a block; only its network reads it. */
export type Cursor = string

/** How often the list is read again for what it listed late, and how far back; in ms. */
interface Sweep {
  readonly everyMs: number
  readonly backMs: number
}

/** What is known of a network without asking it. */
export interface NetworkTraits {
  /** Stands in the database and on the wire: never changes. */
  readonly id: string
  readonly name: NetworkName
  /** Decimals with which the token counts, 6 or more. */
  readonly decimals: number
  /** Time between two blocks, in ms. */
  readonly blockMs: number
  /** Blocks after which a transaction is irreversible. */
  readonly confirmations: number
  /** Time from a block until it is irreversible, in ms. */
  readonly finalMs: number
  /** Age of a block in ms from which on a transaction that the network does not know was on an abandoned fork. */
  readonly vanishedMs: number
  /** Time in ms within which the list has everything. */
  readonly listedMs: number
  /** Normally they find nothing. */
  readonly sweeps: { readonly often: Sweep; readonly seldom: Sweep }
  /** The setting that holds the key of its provider. */
  readonly keySetting: string
  /** Whether USDT can be sent to this address. */
  readonly isAddress: (text: string) => boolean
  /** Returns the id of a transaction in its one spelling, from any; undefined for anything else. */
  readonly txidOf: (text: string) => string | undefined
  /** Returns the address at which an explorer shows a transaction. */
  readonly transactionUrl: (txid: string) => string
  /** Returns what the QR code of a wallet says. */
  readonly qrContent: (wallet: string) => string
}

/**
 * A transfer that the index lists. It is a hint and no proof: an index may be late or wrong, contracts can forge entries, and rows
 * may not be irreversible yet.
 */
export interface ListedTransfer {
  readonly txid: string
  /** Address of the token contract. */
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly raw: RawAmount
  readonly blockTime: Date
}

export interface ListQuery {
  /** Our wallet. */
  readonly wallet: string
  /** Transfers to the wallet (the default), or from it: the operator moves funds elsewhere. */
  readonly direction?: 'in' | 'out'
  readonly contract: string
  /** Where the list begins. */
  readonly after: Cursor
  /** Only irreversible transfers. */
  readonly finalOnly?: boolean
}

export interface TransferList {
  /** Transfers of this contract to (or from) this wallet only, oldest first. */
  readonly transfers: readonly ListedTransfer[]
  /** False when there was more than one scan may read: it goes on at {@link next}. */
  readonly complete: boolean
  /** Where the next scan begins; never before the place where this one did. */
  readonly next: Cursor
  /** Block time before which every transfer has been read: what the index lists later has a later one, or is found by a sweep. */
  readonly readUntil: Date
  /** The network's clock when the list was begun; null when the answer did not have it. */
  readonly networkTime: Date | null
}

/** A transfer that a receipt proves. */
export interface TransferLog {
  /** Position within the transaction: with network and txid, the name of this transfer. */
  readonly index: number
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly raw: RawAmount
}

/** An irreversible transaction. */
export interface Receipt {
  readonly txid: string
  readonly blockNumber: number
  readonly blockTime: Date
  /** False: reverted, out of energy and the like; then nothing was transferred. */
  readonly success: boolean
  /** Transfers of the requested contract. */
  readonly transfers: readonly TransferLog[]
}

/** Why a network could not be read. */
export type ChainFault =
  /** No connection, a timeout, a 5xx. */
  | 'unreachable'
  /** Too many requests: suspended for a while. */
  | 'suspended'
  /** The provider does not know the API key. */
  | 'bad_key'
  /** An answer that does not follow the API. */
  | 'bad_answer'
  /** According to the network, the configured wallet or token contract cannot be right. */
  | 'misconfigured'

export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable'
  readonly fault: ChainFault

  /** @param message without the API key, and without an address that contains it */
  constructor(fault: ChainFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** A network that can be read. Every method throws {@link ChainUnavailable} when no provider gives a good answer. */
export interface PaymentNetwork extends NetworkTraits {
  /** Returns a place before every transfer whose block has this time or a later one. */
  cursorAt(time: Date): Promise<Cursor>
  /** Reads all pages, or throws; a list cut at the limit of a scan is marked as not complete. */
  listTransfers(query: ListQuery): Promise<TransferList>
  /** Returns the irreversible receipt; undefined when the network does not have it, or not yet: that never means "failed". */
  receipt(txid: string, contract: string): Promise<Receipt | undefined>
  /** Whether the head of the chain knows the transaction, irreversible or not. */
  knows(txid: string): Promise<boolean>
  /** Returns the balance of the wallet at the irreversible head. */
  balance(wallet: string, contract: string): Promise<RawAmount>
  /**
   * Checks that the wallet can receive payments: it is an account that its owner controls, and the contract is a token with the decimals of
   * the network's USDT.
   *
   * @returns the symbol of the token; undefined when it has none
   * @throws ChainUnavailable with the fault `misconfigured` when the check fails
   */
  checkWallet(wallet: string, contract: string): Promise<string | undefined>
}

/** A wallet of ours and the token that it takes: a network is read for each such pair. */
export interface WatchedWallet {
  readonly wallet: string
  readonly contract: string
}

/** A network over which USDT is taken, and where it arrives. */
export interface OpenNetwork extends WatchedWallet {
  readonly network: PaymentNetwork
}
