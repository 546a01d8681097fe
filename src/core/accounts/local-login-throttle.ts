import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import { LIMITS, type LogInOrigin, type LoginThrottle, refuseOverLimit, WINDOW_MS } from './login-throttle.ts'

/** Most counters kept; beyond it the oldest are dropped, so that a flood cannot fill the memory. */
const REMEMBERED = 20_000
/** Most attempts that may wait for others; limited, so that a flood cannot fill the memory. */
const WAITING_LIMIT = 50

/** Failures of one username, one network, or one username from one network. */
class Counter {
  readonly key: string
  readonly limit: number
  /** Times of failures, oldest first. */
  failures: readonly number[] = []
  /** Attempts whose passwords are being checked. */
  checking = 0

  constructor(key: string, limit: number) {
    this.key = key
    this.limit = limit
  }

  get full(): boolean {
    return this.failures.length + this.checking >= this.limit
  }
}

/** The throttle of the only server of a database. In memory; reset by a restart. */
export class LocalLoginThrottle implements LoginThrottle {
  readonly #clock: Clock
  readonly #counters = new Map<string, Counter>()
  readonly #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async attempt<Account>(
    origin: LogInOrigin,
    check: () => Promise<Account | undefined>,
  ): Promise<Account | undefined> {
    const counters = await this.#enter(origin)
    let failed = false
    try {
      const account = await check()
      failed = account === undefined
      return account
    } finally {
      for (const counter of counters) {
        counter.checking -= 1
        if (failed) counter.failures = [...counter.failures, this.#now]
        else if (counter.failures.length === 0 && counter.checking === 0) this.#counters.delete(counter.key)
      }
      for (const again of this.#waiting.splice(0)) again()
    }
  }

  /**
   * Waits until the attempt may begin.
   *
   * @returns its counters, in which it counts as being checked from now on
   */
  async #enter({ username, network }: LogInOrigin): Promise<readonly Counter[]> {
    for (;;) {
      const counters = [
        this.#counter(`both ${network} ${username}`, LIMITS.usernameFromNetwork),
        this.#counter(`username ${username}`, LIMITS.username),
        this.#counter(`network ${network}`, LIMITS.network),
      ]
      refuseOverLimit(counters, this.#now)
      if (!counters.some(({ full }) => full)) {
        for (const counter of counters) {
          counter.checking += 1
          this.#remember(counter)
        }
        return counters
      }
      if (this.#waiting.length >= WAITING_LIMIT) throw new ServiceError('unavailable', { retryAfter: 1 })
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  get #now(): number {
    return this.#clock.now().getTime()
  }

  /** The stored counter, or a new one, which is not stored yet. */
  #counter(key: string, limit: number): Counter {
    const counter = this.#counters.get(key) ?? new Counter(key, limit)
    const now = this.#now
    counter.failures = counter.failures.filter((time) => time > now - WINDOW_MS)
    return counter
  }

  #remember(counter: Counter): void {
    // Delete and set moves the counter to the end: the first one of the map is the oldest.
    this.#counters.delete(counter.key)
    this.#counters.set(counter.key, counter)
    const [oldest] = this.#counters.keys()
    if (this.#counters.size > REMEMBERED && oldest !== undefined) this.#counters.delete(oldest)
  }
}
