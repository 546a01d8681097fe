import { hash, verify } from '@node-rs/argon2'
import { ServiceError } from '../errors.ts'
import { randomText } from '../ids.ts'

/**
 * OWASP's minimum for argon2id: 19 MiB, two passes. Do not change: the dummy hash would take another time than the stored hashes,
 * which tells who has an account (rules 2.2).
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Most hashes at a time; the libuv pool of four threads is shared with DNS and files. */
const CONCURRENCY = 2
/** Most hashes that may wait; more are refused. */
const QUEUE_LIMIT = 50

/** Characters of a generated password: 70 bits, and short enough to be typed from a screen. */
const MADE_LENGTH = 14

/** Generates a password. */
export function newPassword(): string {
  return randomText(MADE_LENGTH)
}

/**
 * Stored where an account has no password (rules 2.6): a hash of {@link PARAMETERS} that no password has, so that it is refused after
 * the same time as a wrong one.
 */
export const NO_PASSWORD = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Hash of a password that no account has. */
let dummy: Promise<string> | undefined

/** argon2id behind a queue, so that a flood of log-ins does not slow everything else (rules 2.6). */
export class PasswordHasher {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** Returns what to store for a password, or for none. */
  async hash(password: string | undefined): Promise<string> {
    return password === undefined ? NO_PASSWORD : this.#inTurn(() => hash(password, PARAMETERS))
  }

  /**
   * Compares a password with a hash. Takes the same time without a hash, so that nobody can tell who has an account.
   *
   * @param stored undefined when there is no such account
   * @throws unavailable when too many log-ins wait
   */
  async matches(stored: string | undefined, password: string): Promise<boolean> {
    // Made at the first log-in of the process, known user or not, so that its time tells nothing later.
    const fallback = await (dummy ??= hash('no account has this password', PARAMETERS))
    const equal = await this.#inTurn(() => verify(stored ?? fallback, password))
    return equal && stored !== undefined
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= CONCURRENCY) {
      if (this.#waiting.length >= QUEUE_LIMIT) throw new ServiceError('unavailable', { retryAfter: 1 })
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      return await work()
    } finally {
      // The next in the queue takes over this slot, or it becomes free.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }
}
