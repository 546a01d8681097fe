import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors.ts'

const WINDOW_MS = 60_000
/** Calls of one link within the window. */
const LIMIT = 60
/** Links remembered; beyond it the oldest are forgotten, so that nobody can fill the memory. */
const REMEMBERED = 10_000

/** Counts the calls of public links, each link on its own. In memory; reset by a restart. */
export class LinkThrottle {
  readonly #clock: Clock
  readonly #windows = new Map<string, { readonly since: number; calls: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws rate_limited with the seconds until the next call is allowed */
  pass(link: string): void {
    const now = this.#clock.now().getTime()
    let window = this.#windows.get(link)
    if (!window || now >= window.since + WINDOW_MS || now < window.since) {
      window = { since: now, calls: 0 }
      this.#windows.delete(link)
      this.#windows.set(link, window)
      const [oldest] = this.#windows.keys()
      if (this.#windows.size > REMEMBERED && oldest !== undefined) this.#windows.delete(oldest)
    }
    if (window.calls >= LIMIT)
      throw new ServiceError('rate_limited', {
        retryAfter: Math.ceil((window.since + WINDOW_MS - now) / 1000),
      })
    window.calls += 1
  }
}
