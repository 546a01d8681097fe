import type { FastifyPluginAsync } from 'fastify'

/**
 * What the emulator of TRON offers to the wallet panel and to the tests: the chain as an object, and servers that read it.
 * The shop's side is the HTTP API of TronGrid, exactly as with TRON.
 *
 * Addresses are base58; amounts are whole units of the token (USDT: 10^-6) of any size.
 */

/** A token contract as TronGrid describes it. */
export interface Token {
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

/** How the network carried a transaction out; one that failed emits no events. */
export type Outcome = 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY'

/** What a token contract tells about one movement: one log of a receipt. */
export interface TokenEvent {
  readonly type?: 'Transfer' | 'Approval'
  /** Default: USDT. Another one must have been made by `addToken`. */
  readonly contract?: string
  /** Default: the payer. Of an approval: the owner. */
  readonly from?: string
  /** Default: the receiving wallet. Of an approval: the spender. */
  readonly to?: string
  readonly units: bigint
}

/** Where a transaction stands on the chain. */
export interface Placement {
  /** It goes into the block of this moment, past or future; default: the newest block, where it is seen at once. */
  readonly at?: Date
  readonly outcome?: Outcome
}

export interface Chain {
  readonly wallet: string
  readonly contract: string
  /** The address that pays when no other is named. */
  readonly payer: string

  /** `transfer(to, units)`, as people and exchanges pay. Every transaction method returns its txid. */
  transfer(payment: Omit<TokenEvent, 'type'> & Placement): string
  /** `transferFrom`: somebody else signs what leaves `from`. */
  transferFrom(payment: Omit<TokenEvent, 'type'> & Placement & { readonly spender: string }): string
  /** `approve(spender, units)`: an Approval event, and nothing moves. */
  approve(
    approval: { readonly owner?: string; readonly spender?: string; readonly units: bigint } & Placement,
  ): string
  /** A GasFree transfer: one transaction with the fee of the service first and the payment second. */
  gasFree(payment: Omit<TokenEvent, 'type'> & Placement & { readonly fee?: bigint }): string
  /** Several movements in one transaction, log 0 first. */
  batch(events: readonly TokenEvent[], placement?: Placement): string

  /** Adds a token, under an address made from its description unless one is given. */
  addToken(token: Omit<Token, 'address'> & { readonly address?: string }): Token

  /**
   * A reorganisation leaves the transaction out; `include` brings it back. All blocks from its own on get new ids. Throws for
   * an irreversible one.
   */
  drop(txid: string): void
  /** Puts a dropped transaction into a block, or moves one to another block; default: the newest. */
  include(txid: string, at?: Date): void

  /** Numbers of the newest and of the newest irreversible block. */
  head(): number
  solidHead(): number
  /** The block of a moment: every three seconds has one. */
  blockAt(moment: Date): { readonly number: number; readonly id: string; readonly time: Date }
  /** Where a transaction is; undefined when it is unknown or was dropped. A future block is not there yet. */
  find(
    txid: string,
  ):
    | { readonly block: number; readonly time: Date; readonly outcome: Outcome; readonly solid: boolean }
    | undefined
  /** What an address holds at the newest block; the payer begins with a million USDT. */
  balance(address: string, contract?: string): bigint
}

/** The emulated methods, as faults and the request log name them. */
export type TronMethod = 'trc20' | 'events' | `${'wallet' | 'walletsolidity'}/${NodeMethod}`

export type NodeMethod =
  | 'gettransactioninfobyid'
  | 'gettransactioninfobyblocknum'
  | 'gettransactionbyid'
  | 'getnowblock'
  | 'getblock'
  | 'getcontract'
  | 'triggerconstantcontract'

/** What can be wrong with an answer. */
export type FaultKind =
  /** Any status, with a body in the server's words for it unless one is given. */
  | { readonly kind: 'status'; readonly status: number; readonly body?: string }
  /** 429 with the text of the limit: suspended for `seconds`. */
  | { readonly kind: 'suspended'; readonly seconds?: number }
  /** 401, as for a key that TronGrid does not know. */
  | { readonly kind: 'bad-key' }
  /** 200 with a web page. */
  | { readonly kind: 'html' }
  /** 200 without a body. */
  | { readonly kind: 'empty' }
  /** 200 with the first half of the body. */
  | { readonly kind: 'truncated' }
  /** The connection stays open without an answer. */
  | { readonly kind: 'hang' }
  /** The connection is closed without an answer. */
  | { readonly kind: 'drop' }
  /** A body that comes byte by byte, `everyMs` apart (default 50). */
  | { readonly kind: 'drip'; readonly everyMs?: number }
  /** 302 to another server. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** A good answer, followed by `bytes` of spaces (default 100 MB). */
  | { readonly kind: 'oversize'; readonly bytes?: number }
  /** 200 with `{"Error": …}`, as a node answers that has too much to do. */
  | { readonly kind: 'node-error'; readonly error?: string }
  /** 200 with the bare text of a light node. */
  | { readonly kind: 'lite-node' }
  /** The receipt or transaction of another id. */
  | { readonly kind: 'wrong-id' }
  /** Changes a good JSON answer in any other way. */
  | { readonly kind: 'edit'; readonly edit: (answer: never) => unknown }
  /** The server's solid head is `blocks` further behind; more than in the last answer: it regresses. */
  | { readonly kind: 'solid-lag'; readonly blocks: number }
  /** The server's newest block is `blocks` behind: it has not seen what came after it. */
  | { readonly kind: 'head-lag'; readonly blocks: number }
  /** The list leaves out the rows of one transaction, or its first row. */
  | { readonly kind: 'drop-row'; readonly txid?: string }
  /** The list has the rows of one transaction, or its first row, twice. */
  | { readonly kind: 'duplicate-row'; readonly txid?: string }
  /** The list ignores these parameters. */
  | { readonly kind: 'ignore'; readonly parameters: readonly ListParameter[] }
  /** Every page but the first names itself as the next one. */
  | { readonly kind: 'repeat-fingerprint' }
  /** A full page that does not name the next one. */
  | { readonly kind: 'no-fingerprint' }
  /** 400: the fingerprint does not belong to these parameters. */
  | { readonly kind: 'fingerprint-mismatch' }

export type ListParameter =
  | 'only_to'
  | 'only_from'
  | 'only_confirmed'
  | 'only_unconfirmed'
  | 'contract_address'
  | 'min_timestamp'
  | 'max_timestamp'
  | 'limit'
  | 'order_by'
  | 'fingerprint'

export type Fault = FaultKind & {
  /** Default: every method that the fault can hit. */
  readonly method?: TronMethod
  /** Whether a request is hit, by its parameters: all but the first page, the receipt of one transaction. Default: all. */
  readonly when?: (parameters: Readonly<Record<string, unknown>>) => boolean
  /** How many requests are hit; default 1. `Infinity`: all, until it is taken back. */
  readonly times?: number
}

export interface Faults {
  /** Orders a fault; the returned function takes it back. */
  inject(fault: Fault): () => void
  /** Takes all faults back. */
  clear(): void
}

/** One request that a server received; the key itself is not recorded. */
export interface RecordedRequest {
  /** Undefined: an address that the API does not have. */
  readonly method: TronMethod | undefined
  readonly path: string
  /** From the query and the body, and the address or txid of the path. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly withKey: boolean
  readonly at: Date
}

export interface ServerSettings {
  /** The keys that the server knows; a request with another one is refused. Default: any key, and none, will do. */
  keys?: readonly string[]
  /** Whether TronGrid's limits hold: one request a second and method without a key, 15 a second with one. Default: no. */
  rateLimits?: boolean
  /** How long after its block the list and the events show a transaction; default 0. */
  indexDelayMs?: number
}

/** One server: TronGrid, or a node behind it. */
export interface TronServer {
  /** Serves `/v1/…`, `/wallet/…` and `/walletsolidity/…` under the prefix that it is registered with. */
  readonly httpApi: FastifyPluginAsync
  readonly faults: Faults
  /** May be changed at any time. */
  readonly settings: ServerSettings
  /** The newest 20,000 requests, oldest first; of one method, or of all. */
  requests(method?: TronMethod): readonly RecordedRequest[]
  clearRequests(): void
}

/** A chain with its first server. */
export interface TronEmulator extends TronServer {
  readonly chain: Chain
  /** One more server over the same chain, with faults, key and request log of its own: the fallback. */
  addServer(settings?: ServerSettings): TronServer
}
