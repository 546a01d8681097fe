import type { StockProxy, StockSelection } from '../catalog/stock.ts'
import type { Readable, Tx } from '../database/database.ts'

/** An accepted order, as a supplier sees it. */
export interface SupplyOrder {
  readonly orderId: number
  /** Our number: the supplier's idempotency key. */
  readonly orderNo: string
  readonly productNo: string
  readonly ipCount: number
}

/** A proxy as the supplier hands it over. */
export interface SuppliedProxy extends Omit<StockProxy, 'stockId'> {
  /** The supplier's name for it; within an order it is delivered once. */
  readonly providerInstanceNo: string
}

export type Delivery =
  /** Final: when there are fewer proxies than ordered (or none), the rest is refunded. */
  | {
      readonly status: 'delivered'
      readonly proxies: readonly SuppliedProxy[]
      readonly providerOrderNo?: string
      readonly reason?: string
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
  reserve(tx: Tx, order: SupplyOrder, selection: StockSelection): Promise<void>
  /**
   * After the commit: hand the proxies over. May be called again for the same order after a crash, and must then answer the
   * same. Throws when nothing is known (a network fault): the order stays in processing and the call is repeated.
   */
  deliver(order: SupplyOrder): Promise<Delivery>
  /** In the transaction that completes the order: free what was reserved and not delivered. */
  settle(tx: Tx, order: SupplyOrder): Promise<void>
  /**
   * In the transaction that releases proxies, or that ends the grace of expired ones: take the proxies back.
   * They may belong to many orders. Never called for a proxy that is in use.
   */
  giveBack(tx: Tx, proxies: readonly ReturnedProxy[]): Promise<void>
  /**
   * In the transaction of a replacement: hands over another free proxy of the same product and place, and lays the old one aside, so
   * that it is not sold again. Undefined when there is none: then nothing is changed. Missing where a replacement is bought.
   */
  exchange?(tx: Tx, old: ReturnedProxy): Promise<SuppliedProxy | undefined>
  /** For a preview: whether {@link exchange} would find one now. */
  hasEqual?(db: Readable, old: ReturnedProxy): Promise<boolean>
  /** In the transaction that gives up a dead proxy: take it back, and do not sell it again. */
  layAside?(tx: Tx, old: ReturnedProxy): Promise<void>
  /**
   * After the commit of a renewal, for a supplier that must know: prolong the proxies. Repeated until it does not throw;
   * `renewOrderNo` is the key by which the supplier recognizes a repetition.
   */
  renew?(order: SupplyOrder, renewOrderNo: string, proxies: readonly ProlongedProxy[]): Promise<void>
  /** After the commit of a cancellation, likewise: end the proxies. Not called for expired proxies, which end by themselves. */
  release?(order: SupplyOrder, cancelNo: string, providerInstanceNos: readonly string[]): Promise<void>
}

/** A proxy that nobody uses any more. */
export interface ReturnedProxy {
  readonly orderId: number
  readonly providerInstanceNo: string
}

export interface ProlongedProxy {
  readonly providerInstanceNo: string
  readonly expireTime: string
}

/** The supplier that a product names. */
export function supplierOf(
  { suppliers }: { readonly suppliers: Readonly<Record<string, Supplier>> },
  name: string,
): Supplier {
  const supplier = suppliers[name]
  if (!supplier) throw new Error(`there is no supplier ${name}`)
  return supplier
}
