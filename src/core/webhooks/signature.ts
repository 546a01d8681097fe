import { createHmac, randomBytes } from 'node:crypto'

/** How secrets begin, for people who see only that. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32

/** A new secret: base64 of random bytes after its prefix. */
export function newWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * The headers by which a receiver recognizes a delivery (https://www.standardwebhooks.com): the signature covers id, time and body.
 *
 * @param secrets while a secret is being changed there are two, and a signature by each
 */
export function signedHeaders(
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
