import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import { Windows } from '../windows.ts'

const WINDOW_MS = 60_000
/** Calls of one link within the window. */
const LIMIT = 60
/** Links remembered. */
const REMEMBERED = 10_000

/** Counts the calls of public links, each link on its own. */
export class LinkThrottle {
  readonly #clock: Clock
  readonly #windows = new Windows(WINDOW_MS, REMEMBERED)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws rate_limited with the seconds until the next call is allowed */
  pass(link: string): void {
    const { count, msLeft } = this.#windows.count(link, this.#clock.now().getTime())
    if (count > LIMIT) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(msLeft / 1000) })
  }
}
