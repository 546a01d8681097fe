import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import { type Cluster, type InboxUpdate, nameOfUpdate } from '../core/database/database.ts'
import { Loop, type LoopOptions } from './loop.ts'

/** Poll for updates, in case a notification was lost. */
const POLL_MS = 1_000

/** Takes an update of a bot; 0: the shop's. */
interface Receives {
  receive(update: Update, botId: number): Promise<void>
}

/** Keeps an update for the leader (rules 10.22); done when it is on disk. */
export function keepUpdate(cluster: Cluster, update: Update, botId: number): Promise<void> {
  return cluster.keepUpdate({ botId, updateId: update.update_id, body: JSON.stringify(update) })
}

/**
 * Hands the updates that any server has kept to the bot of the leader, oldest first, and forgets each when it has been handled: what
 * a kill interrupts is handed to the next leader, where the bot knows whether it has been handled.
 */
export class Inbox extends Loop {
  readonly #cluster: Cluster
  readonly #bot: Receives
  readonly #logger: Logger
  readonly #inHand = new Map<string, Promise<void>>()

  /** @param onWake calls a function when any server has kept an update */
  constructor(cluster: Cluster, bot: Receives, logger: Logger, onWake: NonNullable<LoopOptions['onWake']>) {
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
    for (const kept of await this.#cluster.keptUpdates([...this.#inHand.keys()]))
      this.#inHand.set(nameOfUpdate(kept), this.#hand(kept))
  }

  async #hand(kept: InboxUpdate): Promise<void> {
    try {
      await this.#bot.receive(JSON.parse(kept.body) as Update, kept.botId)
      await this.#cluster.dropUpdate(kept)
      this.wake()
    } catch (error) {
      this.#logger.warn({ err: error, update: kept.updateId }, 'an update is handed over again')
    } finally {
      this.#inHand.delete(nameOfUpdate(kept))
    }
  }
}
