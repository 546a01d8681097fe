import type { Update } from 'grammy/types'
import { chatOf } from './updates.ts'

/** Updates that are remembered, in case Telegram delivers them once more. */
const REMEMBERED = 10_000

interface UpdateQueueOptions {
  /** Must not throw; the chat's next update waits for it. */
  readonly handle: (update: Update) => Promise<void>
  /** Asked once for each update when it arrives; what is not admitted is not handled. */
  readonly admit: (update: Update) => boolean
}

/**
 * Handles the updates that were received: those of a chat one after the other, chats independent of each other, each update
 * once.
 */
export class UpdateQueue {
  readonly #options: UpdateQueueOptions
  /** Updates in hand or handled lately, by id, oldest first. */
  readonly #known = new Map<number, Promise<void>>()
  /** The last update of each chat that is in hand. */
  readonly #lines = new Map<number, Promise<unknown>>()

  constructor(options: UpdateQueueOptions) {
    this.#options = options
  }

  /** Resolves when the update has been handled, or turned away; a repeated update is not handled again, but waits for the first. */
  add(update: Update): Promise<void> {
    const known = this.#known.get(update.update_id)
    if (known) return known
    const handled = this.#options.admit(update)
      ? this.inTurn(chatOf(update), () => this.#options.handle(update))
      : Promise.resolve()
    this.#known.set(update.update_id, handled)
    if (this.#known.size > REMEMBERED) this.#forgetOldest()
    return handled
  }

  /** Resolves when nothing is in hand. */
  async idle(): Promise<void> {
    while (this.#lines.size > 0) await Promise.all(this.#lines.values())
  }

  /** Does something else between the updates of a chat; the next one waits for it. */
  inTurn<T>(chat: number, work: () => Promise<T>): Promise<T> {
    const done = (this.#lines.get(chat) ?? Promise.resolve()).then(work)
    const line: Promise<unknown> = Promise.allSettled([done]).finally(
      () => this.#lines.get(chat) === line && this.#lines.delete(chat),
    )
    this.#lines.set(chat, line)
    return done
  }

  #forgetOldest(): void {
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
