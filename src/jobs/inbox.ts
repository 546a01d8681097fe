import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { Cluster } from '../core/database/database.ts'
import { Loop, type LoopOptions } from './loop.ts'

/** Poll for updates, in case a notification was lost. */
const POLL_MS = 1_000

/** Keeps an update for the leader (rules 10.22); done when it is on disk. */
export function keepUpdate(cluster: Cluster, update: Update): Promise<void> {
  return cluster.keepUpdate({ updateId: update.update_id, body: JSON.stringify(update) })
}

/**
 * Hands the updates that any server has kept to the bot of the leader, oldest first, and forgets each when it has been handled: what
 * a kill interrupts is handed to the next leader, where the bot knows whether it has been handled.
 */
export class Inbox extends Loop {
  readonly #cluster: Cluster
  readonly #bot: { receive(update: Update): Promise<void> }
  readonly #logger: Logger
  readonly #inHand = new Map<number, Promise<void>>()

  /** @param onWake calls a function when any server has kept an update */
  constructor(
    cluster: Cluster,
    bot: { receive(update: Update): Promise<void> },
    logger: Logger,
    onWake: NonNullable<LoopOptions['onWake']>,
  ) {
    super({ logger, failure: 'the updates of Telegram could not be read', pauseMs: POLL_MS, onWake })
    this.#cluster = cluster
    this.#bot = bot
    this.#logger = logger
  }

  /** Hands over nothing more, and waits until the bot has handled what it has, or has given it up. */
  override async stop(): Promise<void> {
    await super.stop()
    await Promise.all(this.#inHand.values())
  }

  protected async round(): Promise<void> {
    for (const { updateId, body } of await this.#cluster.keptUpdates([...this.#inHand.keys()]))
      this.#inHand.set(updateId, this.#hand(updateId, JSON.parse(body)))
  }

  async #hand(updateId: number, update: Update): Promise<void> {
    try {
      await this.#bot.receive(update)
      await this.#cluster.dropUpdate(updateId)
      this.wake()
    } catch (error) {
      this.#logger.warn({ err: error, update: updateId }, 'an update is handed over again')
    } finally {
      this.#inHand.delete(updateId)
    }
  }
}
