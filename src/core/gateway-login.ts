import { randomInt } from 'node:crypto'
import { randomText } from './ids.ts'

/**
 * Generates a username for the gateway. It has no hyphen, which begins a parameter in the grammar of credentials, and cannot equal
 * a name that a person chooses (see `SubAccountName`).
 */
export function newGatewayUsername(prefix: 'u' | 's'): string {
  return `${prefix}0${randomText(12).toLowerCase()}`
}

const PASSWORD_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

/** Generates 20 characters that need no escaping and do not look alike. */
export function newGatewayPassword(): string {
  return Array.from({ length: 20 }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join('')
}
