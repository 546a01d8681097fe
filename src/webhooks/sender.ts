import http from 'node:http'
import https from 'node:https'
import { checkedAddresses, type Resolve } from '../checked-addresses.ts'
import type {
  WebhookAnswer,
  WebhookFault,
  WebhookRequest,
  WebhookSender,
} from '../core/webhooks/webhook-sender.ts'

/** The limit of a delivery, from its start to the last byte of the answer. */
const ANSWER_MS = 15_000
/** Bytes that are read of an answer before the connection is closed; they are ignored. */
const MOST_ANSWER_BYTES = 64 * 1024
/** How long an unused connection is kept, in ms; the lane limits how many there are. */
const IDLE_MS = 10_000

interface SenderOptions {
  /** Loopback addresses are allowed, too: for tests and the sandbox. */
  readonly loopback: boolean
  /** Ends the deliveries under way. */
  readonly closing: AbortSignal
  /** Replaces the resolver of this machine, for tests. */
  readonly resolve?: Resolve | undefined
  readonly answerMs?: number
}

/**
 * Makes the sender of deliveries (rules 19.4, 19.6). Redirections are not followed, certificates are checked, connections are kept for the
 * next delivery.
 */
export function createWebhookSender({
  loopback,
  closing,
  resolve,
  answerMs = ANSWER_MS,
}: SenderOptions): WebhookSender {
  const { lookup, checkUrl } = checkedAddresses(loopback, resolve)
  const kept = { keepAlive: true, timeout: IDLE_MS, lookup }
  const agents = {
    'http:': new http.Agent(kept),
    'https:': new https.Agent({ ...kept, rejectUnauthorized: true }),
  }
  closing.addEventListener('abort', () => Object.values(agents).forEach((agent) => agent.destroy()))

  return async ({ url: text, headers, body }) => {
    const url = new URL(text)
    const limit = AbortSignal.timeout(answerMs)
    try {
      checkUrl(url)
      return await send(url, { headers, body }, AbortSignal.any([closing, limit]))
    } catch (error) {
      return { error: closing.aborted ? 'stopped' : limit.aborted ? 'timeout' : faultOf(error) }
    }
  }

  function send(url: URL, { headers, body }: Omit<WebhookRequest, 'url'>, signal: AbortSignal) {
    return new Promise<WebhookAnswer>((settle, reject) => {
      const isEncrypted = url.protocol === 'https:'
      const request = (isEncrypted ? https : http).request(url, {
        method: 'POST',
        agent: agents[isEncrypted ? 'https:' : 'http:'],
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
      })
      let answer: WebhookAnswer | undefined
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The status says all, however the rest of the answer ends.
        if (answer) settle(answer)
        // The other side has closed a kept connection just as it was used: nothing was taken.
        else if (request.reusedSocket && error.code === 'ECONNRESET')
          settle(send(url, { headers, body }, signal))
        else reject(error)
      })
      request.on('response', (response) => {
        const status = response.statusCode ?? 0
        const taken = { status, retryAfterMs: retryAfter(response.headers['retry-after']) }
        answer = taken
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > MOST_ANSWER_BYTES) response.destroy()
        })
        response.on('error', () => settle(taken))
        response.on('close', () => settle(taken))
      })
      request.end(body)
    })
  }
}

/** Returns the milliseconds that `Retry-After` asks for; undefined for none. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return ms > 0 ? ms : undefined
}

const FAULTS: Readonly<Record<string, WebhookFault>> = {
  ADDRESS_NOT_ALLOWED: 'address_not_allowed',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ECONNREFUSED: 'connection_refused',
}

function faultOf(error: unknown): WebhookFault {
  const { code = '' } = error as { code?: string }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return 'certificate_refused'
  return FAULTS[code] ?? 'connection_failed'
}
