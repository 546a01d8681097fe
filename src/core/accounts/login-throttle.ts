import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import { networkOf } from '../ip-address.ts'

const WINDOW_MS = 15 * 60_000
/** Failed log-ins within the window (rules 2.4). */
const LIMITS = { usernameFromNetwork: 10, username: 100, network: 30 } as const
/** IPv4 networks of this prefix length count as one origin of guesses. */
const IPV4_PREFIX = 24
/** Counters kept; beyond it the oldest are dropped, so that a flood cannot fill the memory. */
const REMEMBERED = 20_000
/** Longer keys are cut, so that a flood cannot fill the memory; no username is as long. */
const KEY_LENGTH = 200
/** Attempts that may wait for others, so that a flood cannot fill the memory. */
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

/**
 * Counts failed log-ins per username and network, per username, and per network. In memory; reset by a restart.
 *
 * An attempt that would exceed a limit if all attempts being checked failed waits for them. So parallel guesses cannot exceed a
 * limit, and successful log-ins are never refused for their number.
 */
export class LoginThrottle {
  readonly #clock: Clock
  readonly #counters = new Map<string, Counter>()
  readonly #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Runs a password check as soon as the limits allow it.
   *
   * @param username the folded username
   * @param address where the attempt comes from: an IP address or a chat
   * @param check finds the account with the password; undefined counts as a failed log-in, an error does not
   * @returns what `check` returns
   * @throws too_many_attempts with the seconds until the next attempt is allowed, unavailable when too many wait
   */
  async attempt<Account>(
    username: string,
    address: string,
    check: () => Promise<Account | undefined>,
  ): Promise<Account | undefined> {
    const counters = await this.#enter(username, networkOf(address, IPV4_PREFIX))
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
  async #enter(username: string, network: string): Promise<readonly Counter[]> {
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
  #counter(name: string, limit: number): Counter {
    const key = name.slice(0, KEY_LENGTH)
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

/** @throws too_many_attempts while a counter has as many failures as its limit */
function refuseOverLimit(counters: readonly Counter[], now: number): void {
  const until = counters.map(
    ({ failures, limit }) => (failures[failures.length - limit] ?? -Infinity) + WINDOW_MS,
  )
  const latest = Math.max(...until)
  if (latest > now)
    throw new ServiceError('too_many_attempts', { retryAfter: Math.ceil((latest - now) / 1000) })
}
