import { createHash } from 'node:crypto'

/** What the database keeps of a token. It is long and random, so it needs neither a slow hash nor a salt. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
