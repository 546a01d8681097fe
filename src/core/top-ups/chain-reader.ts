/** What the service reads from the TRON chain; implemented in `src/tron`. Nothing is ever written to the chain. */

/** USDT in units of 10^-6, as the token contract counts. Wider than any balance: a hostile contract may name any number. */
export type UsdtUnits = bigint

/**
 * A transfer that the index lists. It is a hint and no proof: an index may be late or wrong, contracts can forge entries, and rows
 * may not be irreversible yet.
 */
export interface ListedTransfer {
  /** 64 hexadecimal digits, lower case. */
  readonly txid: string
  /** Address of the token contract, base58. */
  readonly contract: string
  /** Sender and receiver, base58. */
  readonly from: string
  readonly to: string
  readonly units: UsdtUnits
  readonly blockTime: Date
}

export interface ListQuery {
  /** Our wallet, base58. */
  readonly wallet: string
  /** Transfers to the wallet (the default), or from it: the operator moves funds elsewhere. */
  readonly direction?: 'in' | 'out'
  readonly contract: string
  /** Earliest block time, inclusive. */
  readonly since: Date
  /** Only irreversible transfers. */
  readonly solidOnly?: boolean
}

export interface TransferList {
  /** Transfers of this contract to (or from) this wallet only, oldest first. */
  readonly transfers: readonly ListedTransfer[]
  /** False when there was more than one scan may read: all up to {@link readUntil} is there. */
  readonly complete: boolean
  /** Block time of the last row that was read; null when there was none. */
  readonly readUntil: Date | null
  /** The provider's clock at the first page; null when the answer did not have it. */
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
  /** Transfer events of the requested contract. */
  readonly transfers: readonly TransferLog[]
}

/** Why the chain could not be read. */
export type ChainFault =
  /** No connection, a timeout, a 5xx. */
  | 'unreachable'
  /** Too many requests: suspended for a while. */
  | 'suspended'
  /** The provider does not know the API key. */
  | 'bad_key'
  /** An answer that does not follow the API. */
  | 'bad_answer'
  /** According to the chain, the configured wallet or token contract cannot be right. */
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

/** Every method throws {@link ChainUnavailable} when neither provider gives a good answer. */
export interface ChainReader {
  /** Reads all pages, or throws; a list cut at the limit of a scan is marked as not complete. */
  listTransfers(query: ListQuery): Promise<TransferList>
  /** Returns the irreversible receipt; undefined when the chain does not have it, or not yet: that never means "failed". */
  receipt(txid: string, contract: string): Promise<Receipt | undefined>
  /** Whether the head of the chain knows the transaction, irreversible or not. */
  knows(txid: string): Promise<boolean>
  /** Returns the balance of the wallet at the irreversible head. */
  balance(wallet: string, contract: string): Promise<UsdtUnits>
  /**
   * Checks that the wallet can receive payments: it is an account and no contract, and the contract is a token with the decimals of
   * USDT.
   *
   * @returns the symbol of the token; undefined when it has none
   * @throws ChainUnavailable with the fault `misconfigured` when the check fails
   */
  checkWallet(wallet: string, contract: string): Promise<string | undefined>
}
