import type { FastifyPluginAsync } from 'fastify'
import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { InvalidInput, ServiceError } from '../../core/errors.ts'
import type { Receiver, TakeUpdate } from './receiver.ts'
import { UPDATE_KINDS, type UpdateKind } from './updates.ts'
import { withTimeout } from './with-timeout.ts'

const PATH = '/telegram/webhook'
/** Longest wait for an update; Telegram waits for a minute. What takes longer is delivered again, and then waited for again. */
const ANSWER_LIMIT_MS = 45_000
/** How long a stop waits for what is in hand; Telegram delivers it again after the start. */
const STOP_LIMIT_MS = 3_000
/** Deliveries at the same time (Bot API: 1-100). Telegram itself delivers the updates of one chat one after the other. */
const MAX_CONNECTIONS = 100
/** The same for the bot of an agent. */
const CONNECTIONS_OF_AGENT = 4

export interface WebhookSettings {
  /** Where Telegram reaches this server, without a slash at the end. */
  readonly publicUrl: string
  /** Proves that it is Telegram who calls; 1-256 of `A-Z a-z 0-9 _ -` (Bot API). */
  readonly secret: string
}

interface OwnWebhook {
  readonly url: string
  readonly secret: string
  /** Most deliveries at the same time. */
  readonly connections?: number
  /** What is delivered. */
  readonly kinds?: readonly UpdateKind[]
}

/**
 * Returns the webhook of a bot. That of an agent's has a path and a secret of its own; neither tells anything of the token, which other
 * people may know (rules 20.8).
 *
 * @param botId 0 for the shop's bot
 */
export function webhookOf({ publicUrl, secret }: WebhookSettings, botId: number): OwnWebhook {
  if (botId === 0) return { url: publicUrl + PATH, secret }
  return {
    url: `${publicUrl}${PATH}/${botId}`,
    secret: createHmac('sha256', secret).update(`bot ${botId}`).digest('base64url'),
    connections: CONNECTIONS_OF_AGENT,
  }
}

/**
 * Updates by HTTP from Telegram. Each is answered only after it was handled: what a kill interrupts, or takes too long, is
 * delivered again, and waits for the first delivery when that is still in hand.
 */
export class Webhook implements Receiver {
  readonly #api: Api
  readonly #take: TakeUpdate
  readonly #settings: OwnWebhook
  readonly #inHand = new Set<Promise<void>>()
  readonly #stopped = new AbortController()
  #started = false

  constructor(api: Api, take: TakeUpdate, settings: OwnWebhook) {
    this.#api = api
    this.#take = take
    this.#settings = settings
  }

  async connect(): Promise<void> {
    const { url, secret, connections = MAX_CONNECTIONS, kinds = UPDATE_KINDS } = this.#settings
    await this.#api.setWebhook(url, {
      secret_token: secret,
      allowed_updates: kinds,
      max_connections: connections,
    })
  }

  start(): void {
    this.#started = true
  }

  /** Takes no more updates. The webhook stays: Telegram keeps what comes meanwhile. */
  async stop(): Promise<void> {
    this.#started = false
    await withTimeout(Promise.all(this.#inHand), STOP_LIMIT_MS).catch(() => this.#stopped.abort())
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
    const work = this.#take(update).finally(() => this.#inHand.delete(work))
    this.#inHand.add(work)
    await withTimeout(work, ANSWER_LIMIT_MS, this.#stopped.signal).catch((error: unknown) => {
      throw new ServiceError('unavailable', { cause: error })
    })
  }
}

/**
 * The route that Telegram calls. A request without the secret is refused like one with a bad token.
 *
 * @param receive handles an update of a bot; see {@link Webhook.receive}
 */
export function webhookRoute(
  settings: WebhookSettings,
  receive: (update: Update, botId: number) => Promise<void>,
): FastifyPluginAsync {
  return async (server) => {
    for (const path of [PATH, `${PATH}/:bot`])
      server.post<{ Body: Update | null; Params: { bot?: string } }>(
        path,
        {
          onRequest: async ({ headers, params }) => {
            const given = headers['x-telegram-bot-api-secret-token']
            const { secret } = webhookOf(settings, botIn(params))
            if (typeof given !== 'string' || !timingSafeEqual(digest(given), digest(secret)))
              throw new ServiceError('token_invalid')
          },
        },
        async ({ body, params }, reply) => {
          if (!Number.isInteger(body?.update_id)) throw InvalidInput.of('update_id', 'not_a_whole_number')
          await receive(body as Update, botIn(params))
          return reply.send()
        },
      )
  }
}

/** Returns the bot that a path names; 0 for the shop's. @throws route_not_found for what is no bot */
function botIn({ bot }: { readonly bot?: string }): number {
  if (bot === undefined) return 0
  if (!/^[1-9]\d{4,15}$/.test(bot)) throw new ServiceError('route_not_found')
  return Number(bot)
}

/** Makes texts equally long, as `timingSafeEqual` demands. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
