import type { TransferKey } from '../../core/top-ups/unmatched-transfers.ts'

/** A payment as a button names it: the number of its row. */
export function paymentKey({ id }: { readonly id: number }): string {
  return String(id)
}

/**
 * What {@link paymentKey} names, and what buttons of earlier versions do: half of the transaction's id, and the position in it. Undefined
 * for anything else.
 */
export function unpackPaymentKey(key = ''): TransferKey | undefined {
  if (/^\d{1,15}$/.test(key)) return { id: Number(key) }
  const [, txid, index] = /^([0-9a-f]{32})\.(\d{1,4})$/.exec(key) ?? []
  return txid === undefined ? undefined : { txid, index: Number(index) }
}
