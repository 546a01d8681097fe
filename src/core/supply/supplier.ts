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
  /** What the shop gets for it. */
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
   * For a quote: checks whether the selection could be reserved now. Changes nothing.
   *
   * @throws what {@link reserve} would throw
   */
  check(db: Readable, selection: StockSelection): Promise<void>
  /**
   * In the transaction that accepts the order: reserve the proxies, if the supplier can.
   *
   * @throws out_of_stock, assigned_ip_unavailable, which refuse the order
   */
  reserve(tx: Tx, order: NewSupplyOrder, selection: StockSelection): Promise<void>
  /**
   * After the commit, when the job that completes the order runs: hand the proxies over. May be called again for the same order after a crash, and must then answer the
   * same. Throws when nothing is known (a network fault): the order stays in processing and the call is repeated.
   */
  deliver(order: SupplyOrder): Promise<Delivery>
  /** In the transaction that completes the order: free what was reserved and not delivered. */
  freeUndelivered(tx: Tx, order: SupplyOrder): Promise<void>
  /**
   * In the transaction that releases proxies, or that ends the grace of expired ones: take the proxies back.
   * They may belong to many orders. Never called for a proxy that is in use.
   */
  takeBack(tx: Tx, proxies: readonly ReturnedProxy[]): Promise<void>
  /**
   * In the transaction of a replacement, or while an order is being checked: hands over another free proxy of the same product and
   * place, and lays the old one aside, so that it is not sold again. Undefined when there is none: then nothing is changed. Missing
   * where a replacement is bought.
   *
   * @param equal this one and no other, by the supplier's name for it
   */
  exchange?(tx: Tx, old: ReturnedProxy, equal?: string): Promise<SuppliedProxy | undefined>
  /** The proxy that {@link exchange} would hand over now. */
  equalTo?(db: Readable, old: ReturnedProxy): Promise<SuppliedProxy | undefined>
  /** In the transaction that gives up a dead proxy: take it back, and do not sell it again. */
  layAside?(tx: Tx, old: ReturnedProxy): Promise<void>
  /** In the transaction that finds a free proxy dead: do not sell it, unless it was sold meanwhile. */
  withdraw?(tx: Tx, providerInstanceNo: string): Promise<void>
}

/** A proxy that nobody uses any more. */
export interface ReturnedProxy {
  readonly orderId: number
  readonly providerInstanceNo: string
}

/** The supplier that a product names: one by that name, such as the own stock, or else a connection. */
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
