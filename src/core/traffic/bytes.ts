import { z } from 'zod'
import { halfWidth } from '../half-width.ts'

/** Traffic inside the service: a whole number of bytes, far below 2^53. */
export type Bytes = number

const BYTES_PER_GB = 1_000_000_000
const BYTES_PER_MB = 1_000_000
/** Most traffic that one order or one move can be about, in GB (rules 6.1). */
export const MAX_GIGABYTES = 10_000
/** Largest amount of traffic that can be stored; the database checks the same number. */
export const MAX_BYTES = 9_000_000_000_000_000

/**
 * The bytes that a number of GB stands for.
 *
 * @returns undefined unless it has at most 3 decimals and lies within ±10,000 GB: nothing is rounded
 */
export function fromGigabytes(gigabytes: number): Bytes | undefined {
  if (!Number.isFinite(gigabytes) || Math.abs(gigabytes) > MAX_GIGABYTES) return undefined
  const megabytes = Math.round(gigabytes * 1000)
  // + 0 turns -0 into 0.
  return megabytes / 1000 === gigabytes ? megabytes * BYTES_PER_MB + 0 : undefined
}

/** For the wire: GB as a JSON number (1 GB = 10^9 bytes, rules 1.11). */
export function toGigabytes(bytes: Bytes): number {
  return bytes / BYTES_PER_GB
}

/**
 * The GB that a person typed, such as `5`, `0.5` or `2.125 GB`: digits with at most 3 decimals after a point.
 *
 * @returns undefined for anything else, and for more than {@link MAX_GIGABYTES}; `1,5` is not guessed at
 */
export function gigabytesFromText(text: string): number | undefined {
  const digits = /^(\d{1,5}(?:\.\d{1,3})?)\s*(?:gb?)?$/i.exec(halfWidth(text))?.[1]
  return digits !== undefined && Number(digits) <= MAX_GIGABYTES ? Number(digits) : undefined
}

/** More than 0 GB. */
export const TrafficAmount = z
  .number()
  .refine((value) => value > 0 && fromGigabytes(value) !== undefined, { error: 'not_a_traffic_amount' })

/** The bytes of an amount that {@link fromGigabytes} or a schema has let pass. */
export function bytesOf(gigabytes: number): Bytes {
  const bytes = fromGigabytes(gigabytes)
  if (bytes === undefined) throw new RangeError(`${gigabytes} GB is not an amount of traffic`)
  return bytes
}
