/** What may differ between the books of the shop and its account at a supplier. */
export type DifferenceKind =
  /** The supplier has an order that the shop did not make. */
  | 'unknown_order'
  /** The supplier does not know an order that the shop has from it. */
  | 'missing_order'
  /** The supplier carried out an order that counts as refused in the books: the customer has the money back. */
  | 'refused_order'
  /** The supplier charged another amount. */
  | 'amount'
  /** A proxy runs there and is no customer's: it costs money. */
  | 'not_ours'
  /** A proxy was released here and runs on there. */
  | 'released_runs'
  /** A customer's proxy does not run there any more. */
  | 'not_running'
  /** A proxy expires more than 12 hours earlier or later there. */
  | 'expiry'

export interface SupplierDifference {
  readonly kind: DifferenceKind
  /** The supplier's number of the order or proxy; that of the shop where it has none. */
  readonly subject: string
  /** Number of the shop's order, where there is one. */
  readonly orderNo: string | null
  /** Amounts in the account currency, times, or states. */
  readonly ours: string
  readonly theirs: string
}
