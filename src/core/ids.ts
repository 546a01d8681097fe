import { createHash, randomInt } from 'node:crypto'

/** Crockford's base 32: without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Makes a number for an order, entry or instance: sortable by time, and not guessable (rules 4.5).
 *
 * @param prefix shows which kind of number it is
 */
export function newNumber(prefix: string, now: Date): string {
  return prefix + now.toISOString().replace(/\D/g, '') + randomText(8)
}

/** Derives a number as long as those of {@link newNumber} from `thing`: always the same for the same thing. */
export function numberFor(prefix: string, ...thing: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(thing)).digest()
  return prefix + Array.from(digest.subarray(0, 25), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** Returns random text of base-32 characters. */
export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
