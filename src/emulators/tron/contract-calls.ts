import type { Hex20 } from './address.ts'

/** How calls and events of token contracts are written in bytes (the contract ABI). */

/** First four bytes of the Keccak-256 of a method's signature. */
export const SELECTORS = {
  'transfer(address,uint256)': 'a9059cbb',
  'transferFrom(address,address,uint256)': '23b872dd',
  'approve(address,uint256)': '095ea7b3',
  'balanceOf(address)': '70a08231',
  'decimals()': '313ce567',
  'symbol()': '95d89b41',
  'deprecated()': '0e136b19',
} as const

export type Method = keyof typeof SELECTORS

/** Keccak-256 of an event's signature. */
const TOPICS = {
  Transfer: 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  Approval: '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  GasFreeTransfer: 'fe6f7f8574ad66f5a9001635fa07c426dbed515866253867ebd1ca6ac43f0d12',
} as const

/** An event of a contract; of a GasFreeTransfer only the name. */
export interface Log {
  readonly contract: Hex20
  readonly name: keyof typeof TOPICS
  readonly topics: readonly string[]
  readonly data: string
  /** Of a token's event: who gives, who gets (or may take), and how much. */
  readonly movement?: { readonly from: Hex20; readonly to: Hex20; readonly units: bigint }
}

/** Returns 32 bytes in hexadecimal. */
export function word(value: bigint | Hex20): string {
  return (typeof value === 'bigint' ? value.toString(16) : value).padStart(64, '0')
}

/** Encodes a text as a contract returns it: its offset, its length, its bytes in whole words. */
export function textWords(text: string): string {
  const bytes = Buffer.from(text).toString('hex')
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  return word(32n) + word(BigInt(bytes.length / 2)) + padded
}

export function calldata(method: Method, ...values: readonly (bigint | Hex20)[]): string {
  return SELECTORS[method] + values.map(word).join('')
}

/** @throws Error for an amount that 256 bits do not hold */
export function tokenLog(
  name: 'Transfer' | 'Approval',
  contract: Hex20,
  movement: NonNullable<Log['movement']>,
): Log & Required<Pick<Log, 'movement'>> {
  const { from, to, units } = movement
  if (units < 0n || units >= 1n << 256n) throw new Error(`${units} is not an amount of a token`)
  return { contract, name, topics: [TOPICS[name], word(from), word(to)], data: word(units), movement }
}

/** Returns the event that the GasFree contract adds after the two transfers. */
export function gasFreeLog(contract: Hex20): Log {
  return { contract, name: 'GasFreeTransfer', topics: [TOPICS.GasFreeTransfer], data: '' }
}
