import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

const ATTEMPTS = 3
/** A longer pause is left to the caller: a chat should not wait for it. */
const LONGEST_PAUSE_S = 8
const NETWORK_PAUSE_MS = 300
/** Repeating these changes nothing; a repeated sendMessage could show twice. */
const REPEATABLE = /\/(?:get|edit|delete|answer|set)\w*$/i

type Fetch = (
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal },
) => Promise<Response>

/**
 * How the bot talks to Telegram: retries on "too many requests" after the pause that Telegram names, and on network faults
 * where repeating is harmless. It sits below grammY because API calls inside a dialogue do not pass its transformers.
 */
export const fetchWithRetry: Fetch = async (url, { method = 'GET', headers = {}, body, signal }) => {
  const content = await buffered(body)
  const init = {
    method,
    headers,
    ...(content === undefined ? {} : { body: content }),
    ...(signal ? { signal: native(signal) } : {}),
  }
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt === ATTEMPTS
    try {
      const response = await fetch(url, init)
      if (last || response.status !== 429) return response
      const answer = (await response.clone().json()) as { parameters?: { retry_after?: number } }
      const pause = answer.parameters?.retry_after ?? 1
      if (pause > LONGEST_PAUSE_S) return response
      await sleep(pause * 1000, undefined, { signal: init.signal })
    } catch (error) {
      if (last || init.signal?.aborted || !REPEATABLE.test(new URL(url).pathname)) throw error
      await sleep(NETWORK_PAUSE_MS, undefined, { signal: init.signal })
    }
  }
}

/** grammY streams files; a body that may have to be sent again must be whole. */
async function buffered(body: unknown): Promise<string | Buffer | undefined> {
  if (body === undefined || body === null || typeof body === 'string') return body ?? undefined
  return Buffer.concat(await Readable.from(body as AsyncIterable<Uint8Array>).toArray())
}

/** grammY's abort signal comes from a polyfill that Node's fetch does not accept. */
function native(signal: AbortSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  const controller = new AbortController()
  const polyfill = signal as AbortSignal
  if (polyfill.aborted) controller.abort()
  else polyfill.addEventListener('abort', () => controller.abort())
  return controller.signal
}
