/*
 * The port of suppliers: what the core asks of a third party's API. A driver translates it into that API and nothing else: it
 * keeps no state, writes nothing, and repeats nothing. What was asked, what came of it, and when to ask again is kept in
 * `supplier_calls`.
 */

/** The parts of a supplier's API that a driver has. */
export interface Capabilities {
  /**
   * The supplier can be asked for an order by our number, and does not process the same number twice. Without it, a request whose
   * answer was lost is never sent again.
   */
  readonly findsByNumber: boolean
  readonly renews: boolean
  readonly releases: boolean
  readonly resets: boolean
  /** The supplier takes a price ceiling with an order, and refuses above it. */
  readonly takesCeiling: boolean
  /** Hours after the opening in which the supplier takes a proxy back for its price, where its API says so. */
  readonly refundHours?: number
}

/** A decimal amount in the supplier's currency, such as `12.5`. */
export type SupplierAmount = string

export interface SupplierBalance {
  /** What can be spent, credit included. */
  readonly available: SupplierAmount
  /** The supplier's currency, where it says so. */
  readonly currency?: string
}

/** A kind of proxy in one place for one period. */
export interface CatalogueOffer {
  /** The supplier's name for it; unique within the catalogue, at most 64 characters of `A-Za-z0-9_.:-`. */
  readonly offerNo: string
  readonly name: string
  /** As `proxy_type` of a product: 101, 102 or 103. */
  readonly proxyType: number
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string
  readonly state: string
  /** As the codes of our places: country and three letters, such as `USLAX`; empty: no city in particular. */
  readonly cityCode: string
  /** 1 days, 3 months. */
  readonly periodUnit: 1 | 3
  readonly periodLength: number
  /** Cost of one proxy for one period. */
  readonly cost: SupplierAmount
  /** Proxies in stock; a large number where the supplier does not say. */
  readonly stock: number
  /** Most proxies in one order. */
  readonly maxCount: number
  readonly projects: readonly { readonly code: string; readonly name: string }[]
  readonly ranges: readonly { readonly cidr: string; readonly stock: number }[]
  /** Opaque values that the driver gets back with an order of this offer; strings only. */
  readonly data: Readonly<Record<string, string>>
}

interface Numbered {
  /** Our number for the request, its idempotency key: at most 32 characters, the same for each repetition. */
  readonly callNo: string
}

/** A request to buy proxies. */
export interface OpenRequest extends Numbered {
  readonly kind: 'open'
  readonly offerNo: string
  readonly data: Readonly<Record<string, string>>
  readonly count: number
  /** Number of the offer's periods. */
  readonly periods: number
  readonly periodUnit: 1 | 3
  readonly periodLength: number
  readonly proxyType: number
  readonly countryCode: string
  readonly cityCode: string
  readonly projectId: string | null
  /** Number of proxies from each range; empty: from any. */
  readonly cidrBlocks: readonly { readonly cidr: string; readonly count: number }[]
  /** Ids of the services that resell the order, this one not included, the first seller first; missing where there are none. */
  readonly via?: readonly string[]
  /** The most that the order may cost, for a supplier that takes ceilings. */
  readonly ceiling: SupplierAmount
}

/** A request to prolong proxies by whole periods. */
export interface RenewRequest extends Numbered {
  readonly kind: 'renew'
  /** The supplier's number of the order that opened them, where it is known. */
  readonly providerOrderNo: string | null
  readonly instances: readonly {
    readonly providerInstanceNo: string
    /** Expiry before the renewal, ISO 8601; null where it is not known. */
    readonly expireTime: string | null
  }[]
  readonly periods: number
  readonly periodUnit: 1 | 3
  readonly periodLength: number
  readonly ceiling: SupplierAmount
}

/** A request to end proxies before their expiry. */
export interface ReleaseRequest extends Numbered {
  readonly kind: 'release'
  readonly providerOrderNo: string | null
  readonly instances: readonly { readonly providerInstanceNo: string }[]
}

/** A request to give a proxy other credentials. */
export interface ResetRequest extends Numbered {
  readonly kind: 'reset'
  readonly providerOrderNo: string | null
  readonly instances: readonly { readonly providerInstanceNo: string }[]
}

export type SupplierRequest = OpenRequest | RenewRequest | ReleaseRequest | ResetRequest

/** A proxy as the supplier shows it. */
export interface SupplierInstance {
  readonly providerInstanceNo: string
  /** The supplier's number of its order, where it says so. */
  readonly providerOrderNo?: string
  readonly ip: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly countryCode?: string
  readonly state?: string
  readonly cityCode?: string
  readonly cidr?: string
  /** ISO 8601. */
  readonly expireTime?: string
  readonly status: 'running' | 'stopped' | 'closed' | 'released'
}

export interface Ended {
  readonly status: 'ended'
  readonly providerOrderNo?: string
  /** Total that the supplier charged, or gave back for a release; missing where it does not say. */
  readonly amount?: SupplierAmount
  /** The proxies that were opened, renewed, released or reset, as they are now; fewer than asked for, or none, when it failed. */
  readonly instances: readonly SupplierInstance[]
  /** Human-readable reason why some or all proxies are missing. */
  readonly reason?: string
}

export type RefusalReason =
  | 'out_of_stock'
  | 'price_changed'
  | 'insufficient_balance'
  | 'unknown_offer'
  | 'not_supported'
  | 'other'

/** What came of a request that was sent. */
export type Placed =
  /** The supplier has it; `find` tells what becomes of it. */
  | { readonly status: 'accepted'; readonly providerOrderNo?: string }
  /** Certainly not carried out, now or later. A driver says so only where the API guarantees it. */
  | { readonly status: 'refused'; readonly reason: RefusalReason; readonly message: string }
  | Ended

/** What became of a request, by our number. */
export type Found =
  /** The supplier does not know the number. */
  { readonly status: 'absent' } | { readonly status: 'open'; readonly providerOrderNo?: string } | Ended

/** An order as the supplier's own list shows it. */
export interface SupplierOrder {
  /** Our number, where the supplier keeps it. */
  readonly callNo?: string
  readonly providerOrderNo: string
  readonly count: number
  readonly amount?: SupplierAmount
  /** ISO 8601. */
  readonly createdAt: string
  readonly status: 'open' | 'done' | 'partial' | 'failed'
}

/** What is known of a request that failed without a conclusive answer. */
export type FaultKind =
  /**
   * The supplier has refused the request in words or by a code of its own, without a guarantee that it is not carried out: what became of
   * it is looked up.
   */
  | 'declined'
  /** Nothing has left this machine (the name was not found, the connection refused), or the supplier said that it did nothing. */
  | 'not_sent'
  /** It may have been carried out: a timeout, a 5xx, an answer that cannot be read. */
  | 'unknown'
  /** The supplier refuses the credentials, or is no such service; nothing was carried out. */
  | 'misconfigured'

/** Thrown by a driver. The message is for the operator and holds no secrets. */
export class SupplierFault extends Error {
  override readonly name = 'SupplierFault'
  readonly kind: FaultKind
  /** The pause that the supplier has asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(kind: FaultKind, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}

/** One account at one supplier. Every function throws {@link SupplierFault} when there is no conclusive answer. */
export interface SupplierDriver {
  readonly capabilities: Capabilities
  balance(signal: AbortSignal): Promise<SupplierBalance>
  /** Returns all offers that can be ordered. */
  catalogue(signal: AbortSignal): Promise<readonly CatalogueOffer[]>
  /** Sends a request, once: the driver itself never repeats one that may have arrived. */
  place(request: SupplierRequest, signal: AbortSignal): Promise<Placed>
  /** Looks up the outcome of a request that may have been sent. */
  find(request: SupplierRequest, providerOrderNo: string | null, signal: AbortSignal): Promise<Found>
  /** Returns proxies by the supplier's numbers; those that it does not know are left out. */
  instances(providerInstanceNos: readonly string[], signal: AbortSignal): Promise<readonly SupplierInstance[]>
  /** Returns the account's orders since a moment. */
  orders(since: Date, signal: AbortSignal): Promise<readonly SupplierOrder[]>
  /** Returns all proxies that run in the account. */
  running(signal: AbortSignal): Promise<readonly SupplierInstance[]>
  /**
   * Returns the instance id of the service behind the address; undefined when it does not tell. Present only in the driver of
   * suppliers that have this service's own API.
   */
  self?(signal: AbortSignal): Promise<string | undefined>
}

/** What a driver needs to know of a connection. */
export interface ConnectionAccess {
  readonly url: string
  /** Key and secret of the API, or username and password. */
  readonly key: string
  readonly secret: string
  /** The id of this service, which a supplier of the same API compares with its own. */
  readonly instanceId?: string
}

/** A kind of supplier: makes the driver of an account, and reads its callbacks. */
export interface DriverKind {
  /** @throws SupplierFault `misconfigured` where the credentials cannot be right, such as a secret of a wrong length */
  connect(access: ConnectionAccess): SupplierDriver
  /**
   * The number, ours or the supplier's, that a callback is about; undefined when it names none. A callback proves nothing: it only
   * makes the core ask. Missing where the supplier has no callbacks.
   */
  readonly callback?: {
    subject(query: Readonly<Record<string, string>>): string | undefined
    /** The body of the answer that the supplier expects, as JSON. */
    readonly answer: unknown
  }
}

export const DRIVER_NAMES = ['ipipv', 'reseller-api'] as const
export type DriverName = (typeof DRIVER_NAMES)[number]
export type DriverKinds = Readonly<Record<DriverName, DriverKind>>
