import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import { Windows } from '../windows.ts'

const WINDOW_MS = 60_000
/** Calls of one link within the window. */
const LIMIT = 60
/** Links whose calls are counted at the same time. */
const MAX_LINKS = 10_000

/** Limits the calls of each public link. In memory; reset on restart. */
export class LinkThrottle {
  readonly #clock: Clock
  readonly #windows = new Windows(WINDOW_MS, MAX_LINKS)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws rate_limited with the seconds until the next call is allowed */
  pass(link: string): void {
    const { count, msLeft } = this.#windows.count(link, this.#clock.now().getTime())
    if (count > LIMIT) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(msLeft / 1000) })
  }
}
