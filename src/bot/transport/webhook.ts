import type { FastifyPluginAsync } from 'fastify'
import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import { createHash, timingSafeEqual } from 'node:crypto'
import { InvalidInput, ServiceError } from '../../core/errors.ts'
import type { Receiver } from './receiver.ts'
import type { UpdateQueue } from './update-queue.ts'
import { UPDATE_KINDS } from './updates.ts'
import { withTimeout } from './with-timeout.ts'

const PATH = '/telegram/webhook'
/** Longest wait for an update; Telegram waits for a minute. What takes longer is delivered again, and then waited for again. */
const ANSWER_LIMIT_MS = 45_000
/** How long a stop waits for what is in hand; Telegram delivers it again after the start. */
const STOP_LIMIT_MS = 3_000
/** Deliveries at the same time (Bot API: 1-100). Telegram itself delivers the updates of one chat one after the other. */
const MAX_CONNECTIONS = 100

export interface WebhookSettings {
  /** Where Telegram reaches this server, without a slash at the end. */
  readonly publicUrl: string
  /** Proves that it is Telegram who calls; 1-256 of `A-Z a-z 0-9 _ -` (Bot API). */
  readonly secret: string
}

/**
 * Updates by HTTP from Telegram. Each is answered only after it was handled: what a kill interrupts, or takes too long, is
 * delivered again, and waits for the first delivery when that is still in hand.
 */
export class Webhook implements Receiver {
  readonly #api: Api
  readonly #queue: UpdateQueue
  readonly #settings: WebhookSettings
  readonly #stopped = new AbortController()
  #started = false

  constructor(api: Api, queue: UpdateQueue, settings: WebhookSettings) {
    this.#api = api
    this.#queue = queue
    this.#settings = settings
  }

  async connect(): Promise<void> {
    await this.#api.setWebhook(this.#settings.publicUrl + PATH, {
      secret_token: this.#settings.secret,
      allowed_updates: UPDATE_KINDS,
      max_connections: MAX_CONNECTIONS,
    })
  }

  start(): void {
    this.#started = true
  }

  /** Takes no more updates. The webhook stays: Telegram keeps what comes meanwhile. */
  async stop(): Promise<void> {
    this.#started = false
    await withTimeout(this.#queue.idle(), STOP_LIMIT_MS).catch(() => this.#stopped.abort())
  }

  get alive(): boolean {
    return this.#started
  }

  /**
   * Takes a delivery; done when the update has been handled.
   *
   * @throws unavailable before the start, after the stop, and when it takes too long: Telegram delivers it again
   */
  async receive(update: Update): Promise<void> {
    if (!this.#started) throw new ServiceError('unavailable')
    await withTimeout(this.#queue.add(update), ANSWER_LIMIT_MS, this.#stopped.signal).catch(
      (error: unknown) => {
        throw new ServiceError('unavailable', { cause: error })
      },
    )
  }
}

/**
 * The route that Telegram calls. A request without the secret is refused like one with a bad token.
 *
 * @param receive handles an update; see {@link Webhook.receive}
 */
export function webhookRoute(secret: string, receive: (update: Update) => Promise<void>): FastifyPluginAsync {
  const expected = digest(secret)
  return async (server) => {
    server.post<{ Body: Update | null }>(
      PATH,
      {
        onRequest: async ({ headers }) => {
          const given = headers['x-telegram-bot-api-secret-token']
          if (typeof given !== 'string' || !timingSafeEqual(digest(given), expected))
            throw new ServiceError('token_invalid')
        },
      },
      async ({ body }, reply) => {
        if (!Number.isInteger(body?.update_id)) throw InvalidInput.of('update_id', 'not_a_whole_number')
        await receive(body as Update)
        return reply.send()
      },
    )
  }
}

/** Makes texts equally long, as `timingSafeEqual` demands. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
