import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { LogInAttempt, LogInAttempts } from '../database/client.ts'
import { ServiceError } from '../errors.ts'
import { LIMITS, type LogInOrigin, type LoginThrottle, refuseOverLimit, WINDOW_MS } from './login-throttle.ts'

/** Most log-ins that this server handles at the same time; more are refused, so that a flood does not keep others from writing. */
const IN_HAND = 60
/** Pause in ms between two looks whether other attempts have ended. */
const WAIT_MS = 50
/** Age in ms at which an attempt that has not ended counts as failed: its server was killed. */
const ENDED_MS = 30_000

/** The throttle of several servers on one database, which share the limits. */
export class SharedLoginThrottle implements LoginThrottle {
  readonly #attempts: LogInAttempts
  readonly #clock: Clock
  #inHand = 0

  constructor(attempts: LogInAttempts, clock: Clock) {
    this.#attempts = attempts
    this.#clock = clock
  }

  async attempt<Account>(
    origin: LogInOrigin,
    check: () => Promise<Account | undefined>,
  ): Promise<Account | undefined> {
    if (this.#inHand >= IN_HAND) throw new ServiceError('unavailable', { retryAfter: 1 })
    this.#inHand += 1
    try {
      return await this.#count(await this.#begin(origin), check)
    } finally {
      this.#inHand -= 1
    }
  }

  async #count<Account>(id: number, check: () => Promise<Account | undefined>): Promise<Account | undefined> {
    let failed = false
    try {
      const account = await check()
      failed = account === undefined
      return account
    } finally {
      if (failed) await this.#attempts.fail(id, this.#now, this.#now - WINDOW_MS)
      else await this.#attempts.forget(id)
    }
  }

  /**
   * Begins an attempt as soon as the limits allow it. Reads first, so that attempts which are refused or wait take no turn to write.
   *
   * @returns the id of the attempt
   */
  async #begin(origin: LogInOrigin): Promise<number> {
    for (;;) {
      const at = this.#now
      const counters = countersOf(origin, await this.#attempts.of(origin, at - WINDOW_MS), at)
      refuseOverLimit(counters, at)
      if (!counters.some(({ full }) => full)) {
        const id = await this.#attempts.begin({ ...origin, at }, LIMITS, at - WINDOW_MS)
        if (id !== undefined) return id
      }
      await setTimeout(WAIT_MS)
    }
  }

  get #now(): number {
    return this.#clock.now().getTime()
  }
}

/** Returns the counters of an origin; `full`: no attempt may begin before another one has ended. */
function countersOf({ username, network }: LogInOrigin, attempts: readonly LogInAttempt[], now: number) {
  const counter = (limit: number, isCounted: (attempt: LogInAttempt) => boolean) => {
    const counted = attempts.filter(isCounted)
    const failed = counted.filter((attempt) => attempt.failed || attempt.at <= now - ENDED_MS)
    return { limit, failures: failed.map(({ at }) => at), full: counted.length >= limit }
  }
  return [
    counter(
      LIMITS.usernameFromNetwork,
      (attempt) => attempt.username === username && attempt.network === network,
    ),
    counter(LIMITS.username, (attempt) => attempt.username === username),
    counter(LIMITS.network, (attempt) => attempt.network === network),
  ]
}
