/** What the service needs to know of the TRON chain; `src/tron` reads it, and nothing is ever written to the chain. */

/** USDT in units of 10^-6, as the token contract counts. Wider than any balance: a hostile contract may name any number. */
export type UsdtUnits = bigint

/**
 * A transfer that the index lists. It says where to look and never what is true: an index may be late, wrong or lied to, and
 * rows may not be irreversible yet.
 */
export interface ListedTransfer {
  /** 64 hexadecimal digits, lower case. */
  readonly txid: string
  /** Address of the token contract, base58. */
  readonly contract: string
  /** Base58, both. */
  readonly from: string
  readonly to: string
  readonly units: UsdtUnits
  readonly blockTime: Date
}

export interface ListQuery {
  /** Our wallet, base58. */
  readonly wallet: string
  /** What arrives (the default), or what leaves: the operator moves funds on. */
  readonly direction?: 'in' | 'out'
  readonly contract: string
  /** Block time from which on, inclusive. */
  readonly since: Date
  /** Only what is irreversible. */
  readonly solidOnly?: boolean
}

export interface TransferList {
  /** Transfers of this contract to (or from) this wallet, whatever else the index answered; oldest first. */
  readonly transfers: readonly ListedTransfer[]
  /** False when there was more than one scan may read: all up to {@link readUntil} is there. */
  readonly complete: boolean
  /** Block time of the last row that was read; null when there was none. */
  readonly readUntil: Date | null
  /** The provider's clock at the first page; null when it did not tell. */
  readonly providerTime: Date | null
}

/** A Transfer event of a receipt. */
export interface TransferLog {
  /** Position among all events of the transaction: with the txid, the name of this transfer. */
  readonly index: number
  readonly contract: string
  readonly from: string
  readonly to: string
  readonly units: UsdtUnits
}

/** An irreversible transaction. */
export interface Receipt {
  readonly txid: string
  readonly blockNumber: number
  readonly blockTime: Date
  /** False: reverted, out of energy and the like; then nothing was transferred. */
  readonly success: boolean
  /** Transfer events of the asked contract. */
  readonly transfers: readonly TransferLog[]
}

/** What went wrong with reading the chain. The text holds no key and no address with a key in it. */
export type ChainFault =
  /** No connection, a timeout, a 5xx. */
  | 'unreachable'
  /** Asked too often: suspended for a while. */
  | 'suspended'
  /** The provider does not know the API key. */
  | 'bad_key'
  /** An answer of another shape than the API's. */
  | 'bad_answer'
  /** The chain itself says that the wallet or the token contract of the configuration cannot be right. */
  | 'misconfigured'

export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable'
  readonly fault: ChainFault

  constructor(fault: ChainFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** Every method throws {@link ChainUnavailable} when neither provider gives a good answer. */
export interface ChainReader {
  /** Reads all pages, or throws: a part of the list is never passed off as the whole. */
  listTransfers(query: ListQuery): Promise<TransferList>
  /** The irreversible receipt; undefined when the chain does not have it, or not yet: that never means "failed". */
  receipt(txid: string, contract: string): Promise<Receipt | undefined>
  /** Whether the head of the chain knows the transaction, irreversible or not. */
  knows(txid: string): Promise<boolean>
  /** What the wallet holds at the irreversible head. */
  balance(wallet: string, contract: string): Promise<UsdtUnits>
  /**
   * Whether payments may be awaited there: the wallet is an account and no contract, and the contract a token that counts as USDT
   * does.
   *
   * @returns what the token calls itself; undefined when it does not say
   * @throws ChainUnavailable with the fault `misconfigured` when it is otherwise
   */
  checkWallet(wallet: string, contract: string): Promise<string | undefined>
}
