import { setTimeout as sleep } from 'node:timers/promises'
import { type Bot, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { BotContext } from './context.ts'

const POLL_S = 25
const BATCH = 100
const HANDLING_LIMIT_MS = 60_000
const PAUSE_MS = { first: 500, largest: 15_000 }

/**
 * Long polling in which chats do not wait for each other, the updates of one chat are handled in order, and an update is
 * confirmed to Telegram only after it was handled: a kill in between brings it back.
 */
export class Polling {
  readonly #bot: Bot<BotContext>
  readonly #logger: Logger
  readonly #abort = new AbortController()
  #loop: Promise<void> = Promise.resolve()
  #failures = 0
  /** The first update that has not been handled yet. */
  #offset = 0

  constructor(bot: Bot<BotContext>, logger: Logger) {
    this.#bot = bot
    this.#logger = logger
  }

  start(): void {
    this.#loop = this.#run()
  }

  /** Handles what has been received and confirms it, then ends; Telegram keeps the rest. */
  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#loop
    if (this.#offset > 0)
      await this.#bot.api.getUpdates({ offset: this.#offset, limit: 1, timeout: 0 }).catch(() => [])
  }

  /** Whether Telegram answered the last calls (for /readyz). */
  get alive(): boolean {
    return !this.#abort.signal.aborted && this.#failures < 3
  }

  async #run(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      const updates = await this.#receive()
      await Promise.all([...byChat(updates).values()].map((chat) => this.#handleInOrder(chat)))
      const last = updates.at(-1)
      if (last) this.#offset = last.update_id + 1
    }
  }

  async #receive(): Promise<Update[]> {
    const { signal } = this.#abort
    try {
      const parameters = {
        offset: this.#offset,
        limit: BATCH,
        timeout: POLL_S,
        allowed_updates: ['message', 'callback_query', 'my_chat_member'],
      } as const
      // grammY's types name the signal of a polyfill.
      const updates = await this.#bot.api.getUpdates(parameters, signal as never)
      this.#failures = 0
      return updates
    } catch (error) {
      if (signal.aborted) return []
      this.#failures += 1
      const wanted = error instanceof GrammyError ? error.parameters.retry_after : undefined
      // The text of a network error may hold the token, so only Telegram's own words are logged.
      this.#logger.warn(
        { reason: error instanceof GrammyError ? error.description : 'unreachable' },
        'Telegram did not answer',
      )
      const pause =
        wanted === undefined
          ? Math.min(PAUSE_MS.first * 2 ** this.#failures, PAUSE_MS.largest)
          : wanted * 1000
      await sleep(pause, undefined, { signal }).catch(() => {})
      return []
    }
  }

  /** An update that hangs is given up: neither its chat nor the others wait for it. */
  async #handleInOrder(updates: Update[]): Promise<void> {
    for (const update of updates) {
      const watchdog = new AbortController()
      const { signal } = watchdog
      const timeout = sleep(HANDLING_LIMIT_MS, undefined, { signal }).then(() =>
        Promise.reject(new Error('handling took too long')),
      )
      await Promise.race([this.#bot.handleUpdate(update), timeout])
        .catch((error: unknown) =>
          this.#logger.error({ err: error, update: update.update_id }, 'an update was lost'),
        )
        .finally(() => watchdog.abort())
    }
  }
}

function byChat(updates: readonly Update[]): Map<number, Update[]> {
  const chats = new Map<number, Update[]>()
  for (const update of updates) {
    const chat = (update.message ?? update.callback_query?.message ?? update.my_chat_member)?.chat.id ?? 0
    chats.set(chat, [...(chats.get(chat) ?? []), update])
  }
  return chats
}
