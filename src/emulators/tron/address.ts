import { createHash } from 'node:crypto'
import bs58check from 'bs58check'

/** The twenty bytes of an address in hexadecimal, as logs and calls carry them. */
export type Hex20 = string

/** First byte of every address of TRON; the node writes it in hexadecimal addresses, logs leave it out. */
export const PREFIX = '41'

export function toBase58(address: Hex20): string {
  return bs58check.encode(Buffer.from(PREFIX + address, 'hex'))
}

/**
 * Reads the address in a text: base58, hexadecimal with the prefix, or as Ethereum writes it. Undefined when there is none.
 */
export function readAddress(text: string): Hex20 | undefined {
  const hex = /^(?:41|0x)([0-9a-f]{40})$/i.exec(text)?.[1]
  return hex?.toLowerCase() ?? readBase58(text)
}

/** Reads a base58 address; undefined for anything else, a wrong checksum included. */
export function readBase58(text: string): Hex20 | undefined {
  const bytes = bs58check.decodeUnsafe(text)
  const hex = bytes && Buffer.from(bytes).toString('hex')
  return hex?.length === 42 && hex.startsWith(PREFIX) ? hex.slice(2) : undefined
}

/** @throws Error for what is no base58 address: a mistake in a test or in the emulator itself */
export function toHex20(base58: string): Hex20 {
  const address = readBase58(base58)
  if (address === undefined) throw new Error(`"${base58}" is not an address of TRON`)
  return address
}

/** Derives an address from a name; nobody has its key. */
export function addressOf(name: string): Hex20 {
  return createHash('sha256').update(name).digest('hex').slice(0, 40)
}
