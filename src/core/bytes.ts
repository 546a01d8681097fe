import { z } from 'zod'
import { decimalIn } from './typed-number.ts'

/** An amount of traffic inside the service: a whole number of bytes, at most {@link MAX_BYTES}. */
export type Bytes = number

const BYTES_PER_GB = 1_000_000_000
const BYTES_PER_MB = 1_000_000
/** Largest amount of one order or one move, in GB (rules 6.1). */
export const MAX_GIGABYTES = 10_000
/** Largest amount of traffic that can be stored; the database checks the same number. */
export const MAX_BYTES = 9_000_000_000_000_000

/**
 * Converts GB to bytes.
 *
 * @returns undefined unless it has at most 3 decimals and lies within ±10,000 GB: nothing is rounded
 */
export function fromGigabytes(gigabytes: number): Bytes | undefined {
  if (!Number.isFinite(gigabytes) || Math.abs(gigabytes) > MAX_GIGABYTES) return undefined
  const megabytes = Math.round(gigabytes * 1000)
  // + 0 turns -0 into 0.
  return megabytes / 1000 === gigabytes ? megabytes * BYTES_PER_MB + 0 : undefined
}

/** Converts bytes to GB, a JSON number in the API (1 GB = 10^9 bytes, rules 1.11). */
export function toGigabytes(bytes: Bytes): number {
  return bytes / BYTES_PER_GB
}

/**
 * Parses an amount of GB that a person typed, such as `5`, `1,000`, `0,5` or `2.125 GB`, as {@link decimalIn} reads numbers.
 *
 * @returns undefined for anything else, for more than 3 decimals and for more than {@link MAX_GIGABYTES}
 */
export function gigabytesFromText(text: string): number | undefined {
  const digits = /^\d{1,5}(?:\.\d{1,3})?$/.exec(decimalIn(text, 'gb?|гб|г') ?? '')?.[0]
  return digits !== undefined && Number(digits) <= MAX_GIGABYTES ? Number(digits) : undefined
}

/** An amount of traffic in GB, more than 0. */
export const TrafficAmount = z
  .number()
  .refine((value) => value > 0 && fromGigabytes(value) !== undefined, { error: 'not_a_traffic_amount' })

/** Converts GB that {@link fromGigabytes} or a schema has already accepted; throws a RangeError for others. */
export function bytesOf(gigabytes: number): Bytes {
  const bytes = fromGigabytes(gigabytes)
  if (bytes === undefined) throw new RangeError(`${gigabytes} GB is not an amount of traffic`)
  return bytes
}
