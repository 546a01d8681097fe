import { z } from 'zod'

/** A transaction id, as people and programs write it, with the position of a transfer in it where it has several. */
export const TRANSFER_NAME = /^\s*(0x)?[0-9a-f]{64}(:\d{1,4})?\s*$/i

/** Names a transfer: its transaction, in any spelling, and its position. */
export const Txid = z
  .string()
  .regex(TRANSFER_NAME, 'not_a_txid')
  .transform((text) => {
    const [txid = '', index] = text.trim().toLowerCase().replace(/^0x/, '').split(':')
    return { txid, index: index === undefined ? undefined : Number(index) }
  })

/** Finds the transaction in a text: an identifier alone, or in the address of an explorer. */
export function txidIn(text: string): string | undefined {
  return /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/.exec(text.toLowerCase())?.[0]
}
