import type { StockProxy, StockSelection } from '../catalog/stock.ts'
import type { Readable, Tx } from '../database/database.ts'
import type { Micros } from '../money.ts'
import type { PlaceOffer } from '../catalog/place-offers.ts'

/** An accepted order, as a supplier sees it. */
export interface SupplyOrder {
  readonly orderId: number
  /** Our number: the supplier's idempotency key. */
  readonly orderNo: string
  readonly productNo: string
  readonly ipCount: number
}

/** An order that is being accepted. */
export interface NewSupplyOrder extends SupplyOrder {
  /** What is bought for it at a connection; null for the own stock. */
  readonly offer: OrderedOffer | null
  /** Billing periods in the term. */
  readonly periods: number
  /** What the shop gets for the order. */
  readonly shopAmount: Micros
  readonly projectId: string | null
  /** Ids of the services that resell the order, the first seller first. */
  readonly via: readonly string[]
}

/** A proxy as the supplier hands it over. */
export interface SuppliedProxy extends Omit<StockProxy, 'stockId' | 'monthlyCost'> {
  /** The supplier's name for it; within an order it is delivered once. */
  readonly providerInstanceNo: string
  /** Until when the supplier runs it, ISO 8601; the customer's term ends no later. */
  readonly supplierExpireTime?: string
  /** What it cost, in the account currency. */
  readonly cost?: Micros
  /** Of a proxy of the own stock: what the shop pays for it per month; null while that is not known. */
  readonly monthlyCost?: Micros | null
}

export type Delivery =
  /** Final: when there are fewer proxies than ordered (or none), the rest is refunded. */
  | {
      readonly status: 'delivered'
      readonly proxies: readonly SuppliedProxy[]
      readonly providerOrderNo?: string
      readonly reason?: string
      /** The call by which the proxies were bought, and what it cost all in all; missing for the own stock. */
      readonly call?: { readonly callNo: string; readonly cost: Micros }
    }
  /** Not known yet: ask again. */
  | { readonly status: 'pending'; readonly retryAfterMs: number }

/** Where proxies come from: our own stock, or the API of a third party. */
export interface Supplier {
  /**
   * Checks, for a quote, whether the selection could be reserved now. Changes nothing.
   *
   * @throws what {@link reserve} would throw
   */
  check(db: Readable, selection: StockSelection): Promise<void>
  /**
   * Reserves the proxies, if the supplier can, in the transaction that accepts the order.
   *
   * @throws out_of_stock, assigned_ip_unavailable, which refuse the order
   */
  reserve(tx: Tx, order: NewSupplyOrder, selection: StockSelection): Promise<void>
  /**
   * Hands the proxies over, after the commit, for the job that completes the order. May be called again for the same order after a
   * crash, and must then answer the same. Throws when nothing is known (a network fault): the order stays in processing and the call
   * is repeated.
   */
  deliver(order: SupplyOrder): Promise<Delivery>
  /** Frees what was reserved and not delivered, in the transaction that completes the order. */
  freeUndelivered(tx: Tx, order: SupplyOrder): Promise<void>
  /**
   * Takes proxies back, in the transaction that releases them or ends the grace of expired ones. They may belong to many orders. Never
   * called for a proxy that is in use.
   */
  takeBack(tx: Tx, proxies: readonly ReturnedProxy[]): Promise<void>
  /**
   * Hands over another free proxy of the same product and place, and takes the old one off sale, in the transaction of a replacement or
   * while an order is being checked. Undefined when there is none: then nothing is changed. Missing where a replacement is bought.
   *
   * @param equal the only proxy that may be handed over, by the supplier's name for it; by default any
   */
  exchange?(tx: Tx, old: ReturnedProxy, equal?: string): Promise<SuppliedProxy | undefined>
  /** Returns the proxy that {@link exchange} would hand over now. */
  equalTo?(db: Readable, old: ReturnedProxy): Promise<SuppliedProxy | undefined>
  /** Takes a dead proxy back and off sale, in the transaction that gives it up. */
  layAside?(tx: Tx, old: ReturnedProxy): Promise<void>
  /** Takes a free proxy off sale, unless it was sold meanwhile, in the transaction that finds it dead. */
  withdraw?(tx: Tx, providerInstanceNo: string): Promise<void>
}

/** A proxy that nobody uses any more. */
export interface ReturnedProxy {
  readonly orderId: number
  readonly providerInstanceNo: string
}

/** Returns the supplier that a product names: the one of that name, such as the own stock, else the one for connections. */
export function supplierOf(
  {
    suppliers,
    connections,
  }: { readonly suppliers: Readonly<Record<string, Supplier>>; readonly connections: Supplier },
  name: string,
): Supplier {
  return Object.hasOwn(suppliers, name) ? (suppliers[name] ?? connections) : connections
}

/** A supplier's offer that an order takes. */
export interface OrderedOffer extends Pick<
  PlaceOffer,
  | 'locationId'
  | 'offerId'
  | 'offerNo'
  | 'connectionId'
  | 'minMarginBps'
  | 'proxyType'
  | 'countryCode'
  | 'cityCode'
> {
  readonly cost: Micros
  readonly periodUnit: 1 | 3
  readonly periodLength: number
  readonly maxCount: number
  readonly data: Readonly<Record<string, string>>
}
