import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import { networkOf } from '../ip-address.ts'

const WINDOW_MS = 15 * 60_000
/** Failed log-ins within the window (contract 2). */
const LIMITS = { username: 10, address: 30 } as const
/** Names and addresses remembered; beyond it the oldest are forgotten, so that a flood cannot fill the memory. */
const REMEMBERED = 20_000
/** Longer than any username; for the same reason. */
const KEY_LENGTH = 200

/** Counts failed log-ins per username and per address. Kept in memory: a restart forgives. */
export class LoginThrottle {
  readonly #clock: Clock
  readonly #failures = new Map<string, number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Registers an attempt as failed before the password is checked, so that parallel guesses cannot slip through.
   *
   * @param username the folded username
   * @param address where the attempt comes from: an IP address or a chat
   * @returns to be called when the password was right, or was not checked
   * @throws too_many_attempts with the seconds until the next attempt is allowed
   */
  begin(username: string, address: string): () => void {
    const now = this.#clock.now().getTime()
    const counters = [
      { key: `username ${username}`, limit: LIMITS.username },
      { key: `address ${networkOf(address)}`, limit: LIMITS.address },
    ].map(({ key, limit }) => {
      const short = key.slice(0, KEY_LENGTH)
      return { key: short, limit, times: this.#recent(short, now) }
    })

    for (const { limit, times } of counters) {
      const oldest = times[times.length - limit]
      if (oldest !== undefined) {
        throw new ServiceError('too_many_attempts', {
          retryAfter: Math.ceil((oldest + WINDOW_MS - now) / 1000),
        })
      }
    }
    for (const { key, times } of counters) this.#remember(key, [...times, now])
    return () => {
      for (const { key } of counters) this.#forgetOne(key, now)
    }
  }

  #recent(key: string, now: number): number[] {
    return (this.#failures.get(key) ?? []).filter((time) => time > now - WINDOW_MS)
  }

  #remember(key: string, times: number[]): void {
    this.#failures.delete(key)
    this.#failures.set(key, times)
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > REMEMBERED && oldest !== undefined) this.#failures.delete(oldest)
  }

  #forgetOne(key: string, time: number): void {
    const times = this.#failures.get(key)
    const index = times?.indexOf(time) ?? -1
    if (times && index >= 0) times.splice(index, 1)
    if (times?.length === 0) this.#failures.delete(key)
  }
}
