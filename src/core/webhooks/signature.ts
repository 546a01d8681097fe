import { createHmac, randomBytes } from 'node:crypto'

/** Prefix of secrets, by which people recognize them. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'
/** Length of a secret; Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32

/** Makes a secret: base64 of random bytes after its prefix. */
export function newWebhookSecret(): string {
  return WEBHOOK_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * Returns the headers by which a receiver verifies a delivery (https://www.standardwebhooks.com): the signature covers id, time and body.
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
