import { createHash } from 'node:crypto'
import type { Sealing } from './sealed.ts'

/**
 * Returns the hash under which the database stores a token. Tokens are long and random, so that it needs neither a slow hash nor a salt.
 */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Returns the token that was sealed for its hash; undefined where there is none, or the key is another one. */
export function openedToken(tokens: Sealing, sealed: string | null, hash: string): string | undefined {
  const token = sealed === null ? undefined : tokens.open(sealed, hash)
  return typeof token === 'string' ? token : undefined
}
