import type { Update } from 'grammy/types'
import { nameOfUpdate } from '../../core/database/database.ts'
import { chatOf } from './updates.ts'

/** Updates that are remembered, in case Telegram delivers them once more. */
const REMEMBERED = 10_000

/** A bot that updates come to. */
interface Receiving {
  /** Its id at Telegram; 0 for the shop's. */
  readonly botId: number
}

interface UpdateQueueOptions<Bot> {
  /** Must not throw; the chat's next update waits for it. */
  readonly handle: (update: Update, bot: Bot) => Promise<void>
  /** Asked once for each update when it arrives; what is not admitted is not handled. */
  readonly admit: (update: Update, bot: Bot) => boolean
}

/**
 * Handles the updates that were received: those of a chat one after the other, chats independent of each other, each update
 * once.
 */
export class UpdateQueue<Bot extends Receiving> {
  readonly #options: UpdateQueueOptions<Bot>
  /** Updates in hand or handled lately, by bot and id, oldest first. */
  readonly #known = new Map<string, Promise<void>>()
  /** The last update of each chat that is in hand. */
  readonly #lines = new Map<number, Promise<unknown>>()

  constructor(options: UpdateQueueOptions<Bot>) {
    this.#options = options
  }

  /** Resolves when the update has been handled, or turned away; a repeated update is not handled again, but waits for the first. */
  add(update: Update, bot: Bot): Promise<void> {
    const name = nameOfUpdate({ botId: bot.botId, updateId: update.update_id })
    const known = this.#known.get(name)
    if (known) return known
    const handled = this.#options.admit(update, bot)
      ? this.inTurn(chatOf(update), () => this.#options.handle(update, bot))
      : Promise.resolve()
    this.#known.set(name, handled)
    if (this.#known.size > REMEMBERED) this.#forgetOldest()
    return handled
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
