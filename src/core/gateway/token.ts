import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a token is that of the gateways (rules 12.1); compared in a time that does not depend on where the texts differ. */
export function isGatewayToken(expected: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(given))
}
