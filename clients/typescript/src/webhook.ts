import type { WebhookEvent } from './generated/types.gen.ts'

export interface WebhookOptions {
  /** How old a delivery may be, and how far in the future, in seconds; 300 unless said otherwise. */
  readonly tolerance?: number
  /** The time, in milliseconds. */
  readonly now?: () => number
}

/** A delivery that did not come from the service, or not now. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/**
 * Checks a delivery by Standard Webhooks (https://www.standardwebhooks.com) and answers its event. The service repeats deliveries: `webhook-id`
 * is the same in each repetition.
 *
 * @param secret of the webhook, `whsec_…`; several while it is being changed
 * @param body exactly as it was received: parsed and written anew it has another signature
 * @param headers of the request
 * @throws WebhookError
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  body: string,
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>,
  { tolerance = 300, now = Date.now }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const header = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    if (typeof value !== 'string' || value === '') throw new WebhookError(`no header ${name}`)
    return value
  }
  const id = header('webhook-id')
  const timestamp = header('webhook-timestamp')
  const signatures = header('webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => signature.slice('v1,'.length))
  if (!/^\d+$/.test(timestamp) || Math.abs(now() / 1000 - Number(timestamp)) > tolerance)
    throw new WebhookError('the delivery is too old, or from the future')

  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const each of [secret].flat()) {
    const key = await crypto.subtle.importKey(
      'raw',
      bytesOf(each.replace(/^whsec_/, '')) ?? new Uint8Array(),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    )
    for (const signature of signatures) {
      const bytes = bytesOf(signature)
      // Compares in constant time.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed)))
        return JSON.parse(body) as WebhookEvent
    }
  }
  throw new WebhookError('the signature is wrong')
}

/** Of base64; undefined for other text. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
