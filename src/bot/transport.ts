import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

const ATTEMPTS = 3
/** A longer pause is left to the caller: a chat should not wait for it. */
const LONGEST_PAUSE_S = 8
const NETWORK_PAUSE_MS = 300
/** A connection that nobody uses is closed before Telegram does it, just when something is sent. */
const IDLE_MS = 20_000
/** Repeating these changes nothing; a repeated sendMessage could show twice. */
const REPEATABLE = /\/(?:get|edit|delete|answer|set)\w*$/i

/** What grammY asks of `fetch`. */
type Transport = (url: string, init: TransportInit) => Promise<{ json(): Promise<unknown> }>

interface TransportInit {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | AsyncIterable<Uint8Array>
  /** Of a polyfill, which Node's own functions do not all take. */
  readonly signal: Pick<AbortSignal, 'aborted' | 'addEventListener' | 'removeEventListener'>
}

interface Request extends Omit<TransportInit, 'body'> {
  /** Whole, because it may have to be sent again; grammY streams files. */
  readonly body: string | Buffer | undefined
}

interface Answer {
  readonly status: number
  readonly content: string
}

/**
 * How the bot talks to Telegram: retries on "too many requests" after the pause that Telegram names, and on network faults
 * where repeating is harmless. It sits below grammY because API calls inside a dialogue do not pass its transformers. Node's
 * `fetch` would take as much time as all else that the bot does for an update.
 */
export function createTransport(): Transport {
  const options = { keepAlive: true, timeout: IDLE_MS }
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }

  function send(url: URL, { method, headers, body, signal }: Request): Promise<Answer> {
    const secure = url.protocol === 'https:'
    return new Promise((resolve, reject) => {
      const call = (secure ? httpsRequest : httpRequest)(url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        agent: agents[secure ? 'https:' : 'http:'],
      })
      const abort = () => call.destroy(new Error('aborted'))
      if (signal.aborted) abort()
      signal.addEventListener('abort', abort)
      call.once('close', () => signal.removeEventListener('abort', abort))
      call.once('error', reject)
      call.once('response', (response) => {
        text(response).then((content) => resolve({ status: response.statusCode ?? 0, content }), reject)
      })
      call.end(body)
    })
  }

  return async (address, init) => {
    const url = new URL(address)
    const request = { ...init, body: await buffered(init.body) }
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt === ATTEMPTS
      try {
        const { status, content } = await send(url, request)
        const pause = status === 429 ? pauseAskedFor(content) : undefined
        if (last || pause === undefined || pause > LONGEST_PAUSE_S)
          return { json: async () => JSON.parse(content) as unknown }
        await sleep(pause * 1000, init.signal)
      } catch (error) {
        if (last || init.signal.aborted || !REPEATABLE.test(url.pathname)) throw error
        await sleep(NETWORK_PAUSE_MS, init.signal)
      }
    }
  }
}

async function buffered(body: TransportInit['body']): Promise<Request['body']> {
  if (body === undefined || typeof body === 'string') return body
  return Buffer.concat(await Readable.from(body).toArray())
}

/** Seconds. */
function pauseAskedFor(content: string): number {
  const { parameters } = JSON.parse(content) as { parameters?: { retry_after?: number } }
  return parameters?.retry_after ?? 1
}

/** @throws when the signal comes first */
function sleep(ms: number, signal: TransportInit['signal']): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(new Error('aborted'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal.addEventListener('abort', abort)
  })
}
