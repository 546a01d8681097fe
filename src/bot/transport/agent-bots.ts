import type { Api, Bot, Context, MiddlewareFn } from 'grammy'
import type { ManagedBotUpdated, Update, UserFromGetMe } from 'grammy/types'
import type { Logger } from 'pino'
import { type Brand, PARKED, type RunnableBot } from '../../core/bots/agent-bot.ts'
import { isShopBotChat } from '../../core/access/chat-keys.ts'
import type { Core } from '../../core/core.ts'
import type { Hold } from '../../core/database/client.ts'
import { ServiceError } from '../../core/errors.ts'
import { FALLBACK_LANGUAGE } from '../../core/languages.ts'
import { toTelegramIds, withOwnChat } from './chat-ids.ts'
import { Polling } from './polling.ts'
import type { Receiver, TakeUpdate } from './receiver.ts'
import { isTelegramError, refusalIn, toLoggable } from './telegram-error.ts'
import type { Line } from './transport.ts'
import { Webhook, webhookOf, type WebhookSettings } from './webhook.ts'

/** Refusals in a row after which a bot is parked, and the least time that they last: a restart of Telegram's server refuses for seconds. */
const PARKS_AFTER = { refusals: 3, ms: 5_000 }
/** Time in ms after which refusals do not count as in a row. */
const IN_A_ROW_MS = 60_000
/** Time in ms after which a parked bot is tried again, and the webhook of a bot that works is looked at. */
const TRY_AGAIN_MS = 60 * 60_000
/** Age in ms of a bot from which on an update about it, with the token that is known, means that it has another owner. */
const TOLD_AGAIN_MS = 10 * 60_000
/** Time in ms within which a bot must be made after it was asked for. */
export const MAKING_MS = 15 * 60_000

/** A bot that updates come to, and how its chats are worded. */
export interface Served<C extends Context> {
  /** Its id at Telegram; 0 for the shop's. */
  readonly botId: number
  readonly bot: Bot<C>
}

interface Running<C extends Context> extends Served<C> {
  readonly receiver: Receiver
  readonly take: TakeUpdate
  /** What is stored of it. */
  row: RunnableBot
  /** The texts that Telegram shows of it, as they were set. */
  shown?: string
  /** When it was tried last, in ms of the clock. */
  triedAt: number
  refusals: { status: number; count: number; since: number }
}

interface AgentBotsOptions<C extends Context> {
  readonly core: Core
  readonly logger: Logger
  /** The shop's bot, which makes those of agents. */
  readonly shop: Api
  readonly makeBot: (token: string, line: Line) => Bot<C>
  /** What an update passes; the same for all bots of agents. */
  readonly middleware: MiddlewareFn<C>
  readonly handle: (update: Update, served: Served<C>) => Promise<void>
  /** Sets what Telegram shows of a bot. */
  readonly present: (api: Api, brand: Brand) => Promise<void>
  readonly webhook: WebhookSettings | undefined
  readonly hold: Hold | undefined
}

/** Telegram's answer about a token. */
export interface Inspected {
  readonly botId: number
  readonly username: string
  readonly name: string
  /** Host of the program that receives its updates now; undefined for none. */
  readonly webhookHost: string | undefined
}

/** What screens and notices need to know of the bots of agents. */
export interface BotsOfAgents {
  /** Returns what customers of a bot see of its agent, and the link by which they register; undefined for the shop's bot. */
  brandOf(botId: number): RunnableBot | undefined
  /** Returns the bot of an agent that works, the oldest one; undefined for none. */
  brandOfAgent(agentId: number | null): Brand | undefined
  /** Returns the calls of a bot that runs. */
  apiOfBot(botId: number): Api | undefined
  /** Returns the brand of a chat; undefined for one with the shop's bot. */
  brandOfChat(chatId: number): Promise<Brand | undefined>
  /**
   * Returns the calls of the bot that a chat is with.
   *
   * @throws BotStands when that bot does not work now
   */
  apiOf(chatId: number): Promise<Api>
  /**
   * Asks Telegram about a token.
   *
   * @returns undefined when Telegram does not know it
   */
  inspect(token: string): Promise<Inspected | undefined>
}

/** The bot of a chat does not work now. */
export class BotStands extends Error {
  override readonly name = 'BotStands'
}

/**
 * The bots of agents that run in this process, at most one receiver for each (rules 20.1). They are added, changed and removed while it runs,
 * and share all that handles updates; queue, calls and pauses of each are its own, so that none delays another.
 */
export class AgentBots<C extends Context = Context> implements BotsOfAgents {
  readonly #options: AgentBotsOptions<C>
  readonly #running = new Map<number, Running<C>>()
  #work: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: AgentBotsOptions<C>) {
    this.#options = options
  }

  /** Starts, changes and stops bots until they are as the database has them. */
  refresh(): Promise<void> {
    const { core, logger } = this.#options
    this.#work = this.#work.then(async () => {
      if (this.#stopped) return
      const rows = new Map((await core.bots.runnable()).map((row) => [row.botId, row]))
      for (const [botId, running] of this.#running)
        if (rows.get(botId)?.token !== running.row.token) await this.#remove(running)
      for (const row of rows.values())
        await this.#bring(row).catch((error: unknown) => {
          if (!isTelegramError(error)) throw error
          logger.warn({ bot: row.botId, err: toLoggable(error) }, "an agent's bot is tried again later")
        })
    })
    return this.#work
  }

  /** Stops all bots; Telegram keeps what comes meanwhile. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#work.catch(() => {})
    await Promise.all([...this.#running.values()].map((running) => this.#remove(running)))
  }

  /** Takes an update of an agent's bot that came by its webhook; one of a bot that does not run any more is dropped. */
  async receive(update: Update, botId: number): Promise<void> {
    const running = this.#running.get(botId)
    if (running?.receiver instanceof Webhook) await running.receiver.receive(update)
    else if (!this.#options.webhook) throw new ServiceError('route_not_found')
  }

  brandOf(botId: number): RunnableBot | undefined {
    return this.#running.get(botId)?.row
  }

  brandOfAgent(agentId: number | null): Brand | undefined {
    if (agentId === null) return undefined
    const rows = [...this.#running.values()].map(({ row }) => row)
    return rows.find((row) => row.agentId === agentId && row.state === 'active')
  }

  apiOfBot(botId: number): Api | undefined {
    return this.#running.get(botId)?.bot.api
  }

  async brandOfChat(chatId: number): Promise<Brand | undefined> {
    if (isShopBotChat(chatId)) return undefined
    const chat = await this.#options.core.bots.chats.chatOf(chatId)
    return chat && this.brandOf(chat.botId)
  }

  async apiOf(chatId: number): Promise<Api> {
    if (isShopBotChat(chatId)) return this.#options.shop
    const chat = await this.#options.core.bots.chats.chatOf(chatId)
    const running = chat && this.#running.get(chat.botId)
    if (running?.row.state !== 'active') throw new BotStands()
    return running.bot.api
  }

  /** The number of bots that receive updates. */
  get size(): number {
    return [...this.#running.values()].filter(({ receiver }) => receiver.alive).length
  }

  async inspect(token: string): Promise<Inspected | undefined> {
    const { api } = this.#options.makeBot(token, {})
    try {
      const { id, username, first_name } = await api.getMe()
      const { url } = await api.getWebhookInfo()
      const isOurs = url === this.#webhookOf(id)?.url
      const webhookHost = url && !isOurs ? new URL(url).host : undefined
      return { botId: id, username, name: first_name, webhookHost }
    } catch (error) {
      if (refusalIn(error) === 'token') return undefined
      throw error
    }
  }

  /**
   * Somebody has made a bot with the shop's, has given it another token or another owner at Telegram; the update does not say which.
   * A new bot belongs to the agent who acts in the maker's chat and has asked for it (Bot API: ManagedBotUpdated).
   */
  async made({ user, bot }: ManagedBotUpdated): Promise<void> {
    const { core, shop, logger } = this.#options
    const token = await shop.getManagedBotToken(bot.id)
    const known = await core.bots.find(bot.id).catch(ignore('bot_not_found'))
    if (known) {
      const isSame = this.#running.get(bot.id)?.row.token === token
      const age = core.now().getTime() - Date.parse(known.createdAt)
      if (!isSame) await core.bots.changeToken(bot.id, token)
      // A kill may bring the update back that told of the making.
      else if (age > TOLD_AGAIN_MS) await core.bots.setState(bot.id, 'suspended')
      return this.refresh()
    }
    const { actor } = await core.chats.session(user.id, FALLBACK_LANGUAGE)
    const asked = await core.chats.readDraft(user.id)
    const until = Number(asked['ownBot'] ?? 0)
    if (!actor || until < core.now().getTime()) {
      logger.warn({ bot: bot.id }, 'a bot was made for which no agent has asked')
      return
    }
    const { username = '', first_name: name } = bot
    const added = { botId: bot.id, username, name, token, ownerId: user.id, managed: true }
    await core.bots.add(actor, added).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      logger.warn({ bot: bot.id, error: error.code }, 'a bot that was made is not taken')
    })
    await core.chats.changeDraft(user.id, { ownBot: null })
    return this.refresh()
  }

  #webhookOf(botId: number) {
    const { webhook } = this.#options
    return webhook && webhookOf(webhook, botId)
  }

  /** Makes a bot run as its row says. */
  async #bring(row: RunnableBot): Promise<void> {
    const running = this.#running.get(row.botId) ?? this.#make(row)
    running.row = row
    // Receipts and pictures carry its name, which the agent may have changed.
    running.bot.botInfo = meOf(row.botId, row.username, row.name)
    const now = this.#options.core.now().getTime()
    const isParked = PARKED.some((state) => state === row.state)
    if (isParked || running.receiver.alive) {
      if (now - Math.max(running.triedAt, Date.parse(row.stateAt)) < TRY_AGAIN_MS) return this.#show(running)
      running.triedAt = now
      if (isParked && !(await this.#works(running))) return
      if (isParked) await this.#options.core.bots.setState(row.botId, 'active')
      else await this.#look(running)
      return
    }
    await running.receiver.connect()
    running.receiver.start()
    running.triedAt = now
    await this.#show(running)
  }

  #make(row: RunnableBot): Running<C> {
    const { core, logger, hold, makeBot, middleware, handle } = this.#options
    const { botId, username, name, token } = row
    const bot = makeBot(token, {
      toTelegram: (body) => toTelegramIds(core.bots.chats, body),
      answered: (status) => this.#answered(botId, status),
    })
    bot.botInfo = meOf(botId, username, name)
    bot.use(middleware)
    // Chats are looked up one after the other, so that updates keep their order.
    let line = Promise.resolve<unknown>(undefined)
    const take: TakeUpdate = (update) => {
      const own = line.then(() => withOwnChat(core.bots.chats, botId, update))
      line = own.catch(() => {})
      return own.then((known) => (known ? handle(known, running) : leave(bot.api, update)))
    }
    const webhook = this.#webhookOf(botId)
    const receiver = webhook
      ? new Webhook(bot.api, take, webhook)
      : new Polling(bot.api, take, logger.child({ bot: botId }), { hold })
    const refusals = { status: 200, count: 0, since: 0 }
    const running: Running<C> = { botId, bot, receiver, take, row, triedAt: 0, refusals }
    this.#running.set(botId, running)
    return running
  }

  async #remove({ botId, receiver }: Running<C>): Promise<void> {
    this.#running.delete(botId)
    await receiver.stop()
  }

  /** Counts refusals of the token, and conflicts with another program, and parks the bot when they last (rules 20.6). */
  #answered(botId: number, status: number): void {
    const running = this.#running.get(botId)
    if (!running || (status !== 401 && status !== 409)) return
    const { logger } = this.#options
    const now = performance.now()
    const { refusals } = running
    const isNext = refusals.status === status && now - refusals.since < IN_A_ROW_MS
    running.refusals = isNext ? { ...refusals, count: refusals.count + 1 } : { status, count: 1, since: now }
    const { count, since } = running.refusals
    if (count < PARKS_AFTER.refusals || now - since < PARKS_AFTER.ms) return
    running.refusals = { status: 200, count: 0, since: 0 }
    void this.#park(running, status).catch((error: unknown) =>
      logger.error({ bot: botId, err: toLoggable(error) }, "an agent's bot could not be parked"),
    )
  }

  async #park({ botId, row }: Running<C>, status: number): Promise<void> {
    const { core, shop } = this.#options
    if (status === 401 && row.managed) {
      // Its owner may have replaced the token at @BotFather.
      const token = await shop.getManagedBotToken(botId).catch(() => row.token)
      if (token !== row.token) {
        await core.bots.changeToken(botId, token)
        return this.refresh()
      }
    }
    await core.bots.setState(botId, status === 401 ? 'unauthorized' : 'conflict')
    const running = this.#running.get(botId)
    if (running) await this.#remove(running)
  }

  /** Whether a parked bot works again. */
  async #works({ bot, row }: Running<C>): Promise<boolean> {
    try {
      await bot.api.getMe()
      if (row.state === 'conflict' && !this.#options.webhook)
        await bot.api.getUpdates({ limit: 1, timeout: 0 })
      return true
    } catch (error) {
      if (!isTelegramError(error)) throw error
      return false
    }
  }

  /** Who has the token can take the updates away: nothing tells of that where they come by a webhook. */
  async #look({ botId, bot }: Running<C>): Promise<void> {
    const own = this.#webhookOf(botId)
    if (own && (await bot.api.getWebhookInfo()).url !== own.url)
      await this.#options.core.bots.setState(botId, 'conflict')
  }

  /** Sets what Telegram shows of a bot, where that has changed. */
  async #show(running: Running<C>): Promise<void> {
    const { row, bot } = running
    const { state, name, welcome, languages } = row
    const shown = JSON.stringify([name, welcome, languages])
    if (state !== 'active' || running.shown === shown) return
    running.shown = shown
    await this.#options.present(bot.api, row).catch((error: unknown) => {
      if (!isTelegramError(error)) throw error
      this.#options.logger.warn(
        { bot: row.botId, err: toLoggable(error) },
        "texts of an agent's bot were not set",
      )
    })
  }
}

/** Returns what `getMe` answers of a bot that was asked before. */
function meOf(id: number, username: string, name: string): UserFromGetMe {
  return {
    ...{ id, username, first_name: name, is_bot: true },
    can_join_groups: false,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_guest_queries: false,
  } as UserFromGetMe
}

/** A group in which an agent's bot is: accounts are private, so it leaves. */
async function leave(api: Api, { message, my_chat_member: member }: Update): Promise<void> {
  const chat = (message ?? member)?.chat
  const isIn = member ? ['member', 'administrator'].includes(member.new_chat_member.status) : true
  if (!chat || chat.type === 'private' || !isIn) return
  await api.leaveChat(chat.id).catch((error: unknown) => {
    if (!isTelegramError(error)) throw error
  })
}

function ignore(code: string) {
  return (error: unknown) => {
    if (error instanceof ServiceError && error.code === code) return undefined
    throw error
  }
}
