import { randomInt } from 'node:crypto'

/** Crockford's base 32: no letters that are mistaken for digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A number for an order, entry or instance: sortable by time, and not guessable (contract 4).
 *
 * @param prefix tells people what kind of number it is
 */
export function newNumber(prefix: string, now: Date): string {
  return prefix + now.toISOString().replace(/\D/g, '') + randomText(8)
}

/** Random text of base-32 characters. */
export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
