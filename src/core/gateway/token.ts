import { createHash, timingSafeEqual } from 'node:crypto'

/** Tells whether a token is that of the gateways (rules 12.1); compared in constant time. */
export function isGatewayToken(expected: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(given))
}
