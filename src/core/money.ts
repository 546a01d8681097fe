import { decimalIn } from './typed-number.ts'

/**
 * Money inside the service: a whole number of 10^-6 of the account currency, far below 2^53 (rules 1.10). Never a
 * fraction, never a sum of floats.
 */
export type Micros = number

const MICROS_PER_UNIT = 1_000_000
/** Largest amount that can be entered, in units of the currency (rules 1.10). */
export const MAX_AMOUNT = 1_000_000_000
/** Largest amount that can be stored; the database checks the same number. */
export const MAX_MICROS = 9_000_000_000_000_000

/**
 * Converts a JSON number to an amount.
 *
 * @param value in units of the currency
 * @returns undefined unless it has at most 6 decimals and lies within ±1,000,000,000: 0.1 + 0.2 is refused, not rounded
 */
export function fromNumber(value: number): Micros | undefined {
  if (!Number.isFinite(value) || Math.abs(value) > MAX_AMOUNT) return undefined
  const micros = Math.round(value * MICROS_PER_UNIT)
  // + 0 turns -0 into 0.
  return micros / MICROS_PER_UNIT === value ? micros + 0 : undefined
}

/**
 * Parses the amount that a person typed, as {@link decimalIn} reads numbers.
 *
 * @param units what may stand beside it, see {@link decimalIn}
 * @returns undefined for anything else, for more than 6 decimals and for what is larger than any amount
 */
export function fromText(text: string, units?: string): Micros | undefined {
  const plain = decimalIn(text, units) ?? ''
  return /^-?\d{1,10}(\.\d{1,6})?$/.test(plain) ? fromNumber(Number(plain)) : undefined
}

/** Converts an amount to units of the currency, a JSON number in the API. */
export function toNumber(micros: Micros): number {
  return micros / MICROS_PER_UNIT
}

/** Formats an amount for people: `1234.50`, at least two decimals and no more than needed. */
export function toText(micros: Micros): string {
  const sign = micros < 0 ? '-' : ''
  const digits = Math.abs(micros).toString().padStart(7, '0')
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '')
  return `${sign}${digits.slice(0, -6)}.${decimals}`
}

/**
 * Multiplies `amount` by whole numbers.
 *
 * @returns undefined when the product is larger than any balance can be
 */
export function times(amount: Micros, ...factors: number[]): Micros | undefined {
  const product = factors.reduce((total, factor) => total * BigInt(factor), BigInt(amount))
  return product <= BigInt(MAX_MICROS) ? Number(product) : undefined
}

/** Returns `amount` × `part` / `whole`, rounded down; 0 unless `whole` is positive. */
export function shareOf(amount: Micros, part: number, whole: number): Micros {
  return whole <= 0 ? 0 : Number((BigInt(amount) * BigInt(part)) / BigInt(whole))
}

/** As {@link shareOf}, rounded up. */
export function shareRoundedUp(amount: Micros, part: number, whole: number): Micros {
  return whole <= 0 ? 0 : Number((BigInt(amount) * BigInt(part) + BigInt(whole) - 1n) / BigInt(whole))
}
