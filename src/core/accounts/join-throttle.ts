import type { Clock } from '../clock.ts'
import { ServiceError } from '../errors.ts'
import { Windows } from '../windows.ts'

const WINDOW_MS = 15 * 60_000
/** Usernames that a chat tries within the window. */
const LIMIT = 20
/** Chats whose attempts are counted at the same time. */
const MAX_CHATS = 10_000

/** Limits what newcomers try out, so that nobody finds out who has an account here. In memory; reset on restart. */
export class JoinThrottle {
  readonly #clock: Clock
  readonly #windows = new Windows(WINDOW_MS, MAX_CHATS)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws too_many_attempts with the seconds until the next attempt is allowed */
  pass(chatId: number): void {
    const { count, msLeft } = this.#windows.count(chatId, this.#clock.now().getTime())
    if (count > LIMIT) throw new ServiceError('too_many_attempts', { retryAfter: Math.ceil(msLeft / 1000) })
  }
}
