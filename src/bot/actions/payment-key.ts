import type { WaitingTransfer } from '../../core/top-ups/unmatched-transfers.ts'

/** A payment as a button names it: half of the transaction's id, which is enough to be unique, and the position in it. */
export function paymentKey({ txid, index }: Pick<WaitingTransfer, 'txid' | 'index'>): string {
  return `${txid.slice(0, 32)}.${index}`
}

/** What {@link paymentKey} names; undefined for anything else. */
export function unpackPaymentKey(key = ''): Pick<WaitingTransfer, 'txid' | 'index'> | undefined {
  const [, txid, index] = /^([0-9a-f]{32})\.(\d{1,4})$/.exec(key) ?? []
  return txid === undefined ? undefined : { txid, index: Number(index) }
}
