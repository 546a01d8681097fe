import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { LogInAttempt, LogInAttempts } from '../database/client.ts'
import { ServiceError } from '../errors.ts'
import { LIMITS, type LogInOrigin, type LoginThrottle, refuseOverLimit, WINDOW_MS } from './login-throttle.ts'

/** Log-ins that this server has in hand at the same time; more are refused, so that a flood keeps nobody else from writing. */
const IN_HAND = 60
/** Between two looks whether the others have ended. */
const WAIT_MS = 50
/** An attempt that has not ended by then counts as failed: its server was killed. */
const ENDED_MS = 30_000

/** Of several servers on one database: no matter which of them is asked, the limits are those of all together. */
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

  /** @returns the number of the attempt, as soon as it may begin */
  async #begin(origin: LogInOrigin): Promise<number> {
    for (;;) {
      const at = this.#now
      const id = await this.#attempts.begin({ ...origin, at }, LIMITS, at - WINDOW_MS)
      if (id !== undefined) return id
      refuseOverLimit(countersOf(origin, await this.#attempts.of(origin, at - WINDOW_MS), at), at)
      await setTimeout(WAIT_MS)
    }
  }

  get #now(): number {
    return this.#clock.now().getTime()
  }
}

function countersOf({ username, network }: LogInOrigin, attempts: readonly LogInAttempt[], now: number) {
  const failures = (isCounted: (attempt: LogInAttempt) => boolean) =>
    attempts
      .filter((attempt) => isCounted(attempt) && (attempt.failed || attempt.at <= now - ENDED_MS))
      .map(({ at }) => at)
  return [
    {
      limit: LIMITS.usernameFromNetwork,
      failures: failures((attempt) => attempt.username === username && attempt.network === network),
    },
    { limit: LIMITS.username, failures: failures((attempt) => attempt.username === username) },
    { limit: LIMITS.network, failures: failures((attempt) => attempt.network === network) },
  ]
}
