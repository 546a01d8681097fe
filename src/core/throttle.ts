import type { Clock } from './clock.ts'
import { type ErrorCode, ServiceError } from './errors.ts'
import { limitOfEach } from './limit-of-each.ts'
import { Windows } from './windows.ts'

interface ThrottleOptions {
  readonly clock: Clock
  readonly windowMs: number
  /** Most calls for one key within the window, of all servers together. */
  readonly limit: number
  /** Number of servers that share the limit; 1 by default. */
  readonly servers?: () => number
  /** Error code that is thrown beyond the limit. */
  readonly error: Extract<ErrorCode, 'rate_limited' | 'too_many_attempts'>
}

/** Most keys that are counted at the same time. */
const MAX_KEYS = 10_000

/** Limits calls, counted by key. In memory, each of several servers lets its share through; reset on restart. */
export class Throttle<Key extends string | number> {
  readonly #options: ThrottleOptions
  readonly #windows: Windows

  constructor(options: ThrottleOptions) {
    this.#options = options
    this.#windows = new Windows(options.windowMs, MAX_KEYS)
  }

  /** @throws the error of the options, with the seconds until the next call is allowed */
  pass(key: Key): void {
    this.#count(key, 1)
  }

  /**
   * Refuses a call without counting it, for calls of which only some are counted, afterwards, with {@link pass}.
   *
   * @throws the error of the options, when one more would be too many
   */
  refuse(key: Key): void {
    this.#count(key, 0)
  }

  #count(key: Key, times: 0 | 1): void {
    const { clock, limit, error, servers = () => 1 } = this.#options
    const { count, msLeft } = this.#windows.count(key, clock.now().getTime(), times)
    if (count + 1 - times > limitOfEach(limit, servers()))
      throw new ServiceError(error, { retryAfter: Math.ceil(msLeft / 1000) })
  }
}
