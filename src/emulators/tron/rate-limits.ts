import type { Clock } from '../../core/clock.ts'
import { suspendedWithKey, suspendedWithoutKey, type Answer } from './answers.ts'
import type { TronMethod } from './types.ts'

const WINDOW_MS = 1_000
/** Requests a second, and for how long a client is suspended that sends more. */
const WITHOUT_KEY = { rate: 1, suspensionMs: 5_000 }
const WITH_KEY = { rate: 15, suspensionMs: 30_000 }

/** Names of methods in TronGrid's refusals: only one is known. */
const METHOD_NAMES: Partial<Record<TronMethod, string>> = { trc20: 'getTrc20TransactionsByAccount' }

/** TronGrid's limits: per method without a key, over all methods with one. Retries do not prolong a suspension. */
export function createRateLimits(clock: Clock) {
  const counted = new Map<string, { times: number[]; suspendedUntil: number }>()

  /** Returns the refusal; undefined for a request within the limits, which is counted. */
  return function refusal(method: TronMethod, key: string | undefined): Answer | undefined {
    const now = clock.now().getTime()
    const { rate, suspensionMs } = key === undefined ? WITHOUT_KEY : WITH_KEY
    const name = key === undefined ? `method ${method}` : `key ${key}`
    const { times, suspendedUntil } = counted.get(name) ?? { times: [], suspendedUntil: 0 }
    const recent = times.filter((time) => time > now - WINDOW_MS)
    const suspended = now < suspendedUntil || recent.length >= rate
    const until = now < suspendedUntil || !suspended ? suspendedUntil : now + suspensionMs
    counted.set(name, { times: suspended ? recent : [...recent, now], suspendedUntil: until })
    if (!suspended) return undefined
    const seconds = Math.ceil((until - now) / 1_000)
    return key === undefined
      ? suspendedWithoutKey(METHOD_NAMES[method] ?? method, seconds)
      : suspendedWithKey(seconds)
  }
}
