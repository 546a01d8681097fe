import { sleep } from './sleep.ts'

export interface PersistentFetchOptions {
  readonly fetch: typeof fetch
  /** How often a request is sent at most. */
  readonly attempts: number
  /** Longest pause before another attempt, in seconds; when the service asks for a longer one, its answer is handed on. */
  readonly longestPause: number
}

/** Statuses with which nothing was done: the service's own, and those of a proxy before it. */
const TO_REPEAT: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * A `fetch` that repeats what may be repeated: after the pause that `Retry-After` names, else after a growing one. Each POST has an
 * `Idempotency-Key`, the same in all attempts, so that a repeated purchase is made once. A DELETE whose answer was lost is not repeated: the
 * repetition would be answered that there is nothing to delete.
 */
export function persistentFetch(options: PersistentFetchOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === 'POST' && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID())
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt >= options.attempts
      const pause = Math.min(2 ** (attempt - 1) * (0.5 + Math.random() / 2), options.longestPause)
      try {
        const response = await options.fetch(request.clone())
        const asked = retryAfter(response) ?? pause
        if (last || !TO_REPEAT.has(response.status) || asked > options.longestPause) return response
        await response.body?.cancel()
        await sleep(asked * 1000, request.signal)
      } catch (error) {
        if (last || request.signal.aborted || request.method === 'DELETE') throw error
        await sleep(pause * 1000, request.signal)
      }
    }
  }
}

/** In seconds; as a number or a date (RFC 9110). */
function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0)
}
