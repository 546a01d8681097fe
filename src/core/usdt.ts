import type { Micros } from './money.ts'

/**
 * An amount of USDT: a whole number of 10^-6, as in the token contract. The largest amount of a top-up lies far below 2^53.
 */
export type Usdt = number

const UNITS = 1_000_000n
const CENT: Usdt = 10_000
/** The unit of the tail of a pay amount: 0.0001 USDT, so that people type no more than four decimals (rules 8.4). */
const TAIL_STEP: Usdt = 100
/** The tails of pay amounts: below 0.1 USDT, and never whole cents, which people type by themselves. */
export const TAILS: readonly Usdt[] = Array.from(
  { length: 999 },
  (_, index) => (index + 1) * TAIL_STEP,
).filter((tail) => tail % CENT !== 0)
/** Tails below a cent, which are used first. */
export const SHORT_TAILS = TAILS.filter((tail) => tail < CENT)
/** The largest transfer credited without a review, in 10^-6 USDT; a larger one waits for the operator. */
export const MAX_AUTO_CREDIT = 1_000_000_000_000_000n
/** Smaller transfers (below 0.01 USDT) are dust: spam and no payments. */
export const DUST_UNITS = 10_000n

/**
 * Parses the amount that a person or a program wrote: digits with at most 2 decimals after a point (rules 8.1).
 *
 * @param text a number is taken as JSON writes it
 * @returns undefined for anything else; `1e3`, `10,5` and `+1` are not guessed at
 */
export function usdtFrom(text: string | number): Usdt | undefined {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(String(text)) ?? []
  return whole === undefined ? undefined : Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
}

/** Formats an amount: `100.0037`, at least two decimals and no more than needed (rules 8.1). */
export function usdtText(units: Usdt | bigint): string {
  const amount = BigInt(units)
  const decimals = (amount % UNITS)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${amount / UNITS}.${decimals}`
}

/**
 * Returns the smallest amount of USDT, in whole cents, whose credit reaches an amount of the account currency.
 *
 * @param rate 10^-6 of the account currency per USDT
 */
export function usdtFor(amount: Micros, rate: Micros): Usdt {
  const CENT = 10_000n
  const divisor = BigInt(rate) * CENT
  return Number(((BigInt(amount) * UNITS + divisor - 1n) / divisor) * CENT)
}

/**
 * Converts an amount of the account currency to USDT, rounded down to 10^-6 USDT.
 *
 * @param rate 10^-6 of the account currency per USDT
 */
export function worthOf(amount: Micros, rate: Micros): Usdt {
  return Number((BigInt(amount) * UNITS) / BigInt(rate))
}

/**
 * Returns the credit for a payment: one multiplication, rounded down once.
 *
 * @param rate 10^-6 of the account currency per USDT
 */
export function creditFor(units: Usdt | bigint, rate: Micros): Micros {
  return Number((BigInt(units) * BigInt(rate)) / UNITS)
}
