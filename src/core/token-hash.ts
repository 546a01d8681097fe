import { createHash } from 'node:crypto'

/** The hash under which the database stores a token. Tokens are long and random, so that it needs neither a slow hash nor a salt. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
