import type { Api, Bot, Context, MiddlewareFn } from 'grammy'
import type { ManagedBotUpdated, Update, UserFromGetMe } from 'grammy/types'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Brand, PARKED, type RunnableBot } from '../../core/bots/agent-bot.ts'
import { isShopBotChat } from '../../core/access/chat-keys.ts'
import type { Core } from '../../core/core.ts'
import type { Hold } from '../../core/database/client.ts'
import { ServiceError } from '../../core/errors.ts'
import { limited } from '../../core/limited.ts'
import { FALLBACK_LANGUAGE } from '../../core/languages.ts'
import { toTelegramIds, withOwnChat } from './chat-ids.ts'
import { Polling } from './polling.ts'
import type { Receiver, TakeUpdate } from './receiver.ts'
import { Starts } from './starts.ts'
import { isOutage, isTelegramError, pauseAfter, refusalIn, toLoggable } from './telegram-error.ts'
import type { Line } from './transport.ts'
import { Webhook, webhookOf, type WebhookSettings } from './webhook.ts'
import { withTimeout } from './with-timeout.ts'

/**
 * Refusals in a row after which a bot is parked, and the least time that they last: a restart of Telegram's server refuses for seconds.
 * Another program that polls is not fought with for longer.
 */
const PARKS_AFTER = { refusals: 3, refusedMs: 10_000, conflictMs: 8_000 }
/** Time in ms after which refusals do not count as in a row. */
const IN_A_ROW_MS = 60_000
/** Time in ms after which a parked bot is tried again. */
const TRY_AGAIN_MS = 60 * 60_000
/**
 * The same for a bot that works and gets its updates by a webhook: no request of its own waits, which would be refused. Three refusals of
 * these park it within a minute.
 */
const LOOK_MS = 20_000
/** How long a bot that was in conflict asks for updates, to see whether the other program still does: that one's next request ends it. */
const CONFLICT_LOOK_S = 10
/** Age in ms of a bot from which on an update about it, with the token that is known, means that it has another owner. */
const TOLD_AGAIN_MS = 10 * 60_000
/** Attempts to read the token of a bot that was made, while Telegram is out of order. */
const TOKEN_ATTEMPTS = 6
/** Attempts to look up the chat of an update, while the database does not answer: together about a minute. */
const CHAT_ATTEMPTS = 8
/** Bots whose texts are set at the same time: nobody waits for that. */
const SHOWN_AT_ONCE = 4
/** How long a stop waits for what is being changed. */
const STOP_LIMIT_MS = 1_000
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
  /** What is stored of it. */
  row: RunnableBot
  /** Whether it receives updates. */
  started: boolean
  /** The texts that Telegram shows of it, as they were set, and when that failed last, in ms of the clock. */
  shown?: string
  notShownAt: number
  /** When it was tried last, in ms of the clock; -Infinity for one that is to be tried at once; undefined: see its row. */
  triedAt: number | undefined
  refusals:
    | { readonly what: 'token' | 'conflict'; readonly count: number; readonly since: number }
    | undefined
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
  readonly observer?: AgentBotObserver | undefined
}

/** Counts what the bots of agents do, each by its username. */
export interface AgentBotObserver {
  received(bot: string): void
  /** @param status of Telegram's answer, 400 or more */
  refused(bot: string, status: number): void
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
 * and share all that handles updates; queue, calls and pauses of each are its own, and each is started, changed and stopped by itself, so
 * that none delays another.
 */
export class AgentBots<C extends Context = Context> implements BotsOfAgents {
  readonly #options: AgentBotsOptions<C>
  readonly #running = new Map<number, Running<C>>()
  /** What is stored of the bots that are to run, oldest first; undefined before the first look. */
  #rows: ReadonlyMap<number, RunnableBot> | undefined
  #looking: Promise<void> = Promise.resolve()
  /** Bots that are to be looked at, and what is being done with bots. */
  readonly #due = new Set<number>()
  readonly #atWork = new Map<number, Promise<void>>()
  readonly #starts = new Starts()
  readonly #shows = limited(SHOWN_AT_ONCE)
  readonly #stopping = new AbortController()

  constructor(options: AgentBotsOptions<C>) {
    this.#options = options
    // Each bot that waits for its turn listens to it.
    setMaxListeners(0, this.#stopping.signal)
  }

  /** Reads what the database has of the bots, and begins to start, change and stop them until they are like that. */
  refresh(): Promise<void> {
    const looked = this.#looking.then(() => this.#readRows())
    this.#looking = looked.catch(() => {})
    return looked
  }

  async #readRows(): Promise<void> {
    if (this.#isStopped) return
    this.#rows = new Map((await this.#options.core.bots.runnable()).map((row) => [row.botId, row]))
    for (const botId of new Set([...this.#running.keys(), ...this.#rows.keys()])) this.#adapt(botId)
  }

  /** Stops all bots; Telegram keeps what comes meanwhile. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    const works = Promise.all([this.#looking, ...this.#atWork.values()])
    await Promise.all([
      ...[...this.#running.values()].map(({ receiver }) => receiver.stop()),
      withTimeout(works, STOP_LIMIT_MS).catch(() => {}),
    ])
    this.#running.clear()
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  /**
   * Takes an update of an agent's bot that came by its webhook; one of a bot that is not to run any more is dropped.
   *
   * @throws unavailable while the bot does not run yet: it is delivered again
   */
  async receive(update: Update, botId: number): Promise<void> {
    if (!this.#options.webhook) throw new ServiceError('route_not_found')
    if (!this.#rows) throw new ServiceError('unavailable')
    if (!this.#rows.has(botId)) return
    const receiver = this.#running.get(botId)?.receiver
    if (!(receiver instanceof Webhook)) throw new ServiceError('unavailable')
    await receiver.receive(update)
  }

  brandOf(botId: number): RunnableBot | undefined {
    return this.#running.get(botId)?.row
  }

  brandOfAgent(agentId: number | null): Brand | undefined {
    if (agentId === null) return undefined
    for (const row of this.#rows?.values() ?? [])
      if (row.agentId === agentId && row.state === 'active') return row
    return undefined
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
    return [...this.#running.values()].filter(({ started, receiver }) => started && receiver.alive).length
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
    const { core, logger } = this.#options
    const token = await this.#tokenOf(bot.id, TOKEN_ATTEMPTS)
    const known = await core.bots.find(bot.id).catch(ignore('bot_not_found'))
    if (known) {
      const changed = await core.bots.changeToken(bot.id, token)
      const age = core.now().getTime() - Date.parse(known.createdAt)
      // A kill may bring the update back that told of the making.
      if (!changed && age > TOLD_AGAIN_MS) await core.bots.setState(bot.id, 'suspended')
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

  /**
   * Reads the token of a bot that the shop's has made.
   *
   * @throws Telegram's refusal, or that it cannot be reached
   */
  async #tokenOf(botId: number, attempts: number): Promise<string> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.#options.shop.getManagedBotToken(botId)
      } catch (error) {
        if (attempt >= attempts || !isOutage(error) || this.#isStopped) throw error
        await this.#pause(pauseAfter(error, attempt))
      }
  }

  /** Lets the work on a bot begin, unless it is under way: then it is done again. */
  #adapt(botId: number): void {
    this.#due.add(botId)
    if (this.#atWork.has(botId)) return
    this.#atWork.set(botId, this.#adaptNow(botId))
  }

  async #adaptNow(botId: number): Promise<void> {
    while (!this.#isStopped && this.#due.delete(botId))
      try {
        await this.#bring(botId)
      } catch (error) {
        if (this.#isStopped) break
        const { logger } = this.#options
        const about = { bot: botId, err: toLoggable(error) }
        if (isTelegramError(error)) logger.warn(about, "an agent's bot is tried again later")
        else logger.error(about, "an agent's bot could not be started or changed")
      }
    this.#atWork.delete(botId)
  }

  /** Makes a bot run as its row says. */
  async #bring(botId: number): Promise<void> {
    const row = this.#rows?.get(botId)
    const before = this.#running.get(botId)
    const isParked = row !== undefined && PARKED.some((state) => state === row.state)
    const isOther = before !== undefined && before.row.token !== row?.token
    if (before && (isOther || (isParked && before.started))) await this.#remove(before, row === undefined)
    if (!row || this.#isStopped) return
    const running = this.#running.get(botId) ?? this.#make(row)
    running.row = row
    // Receipts and pictures carry its name, which the agent may have changed.
    running.bot.botInfo = meOf(row.botId, row.username, row.name)
    if (isOther) running.triedAt = -Infinity
    const now = this.#options.core.now().getTime()
    if (!isParked && !running.started) return this.#start(running)
    running.triedAt ??= Date.parse(row.stateAt)
    const pauseMs = isParked || !this.#options.webhook ? TRY_AGAIN_MS : LOOK_MS
    if (now - running.triedAt >= pauseMs) {
      running.triedAt = now
      await (isParked ? this.#tryAgain(running) : this.#look(running))
    }
    this.#show(running)
  }

  async #start(running: Running<C>): Promise<void> {
    const { core } = this.#options
    const { botId, receiver } = running
    await this.#starts.begin(this.#stopping.signal, () => receiver.connect())
    if (this.#isStopped) return
    receiver.start()
    running.started = true
    running.triedAt = core.now().getTime()
    // Of a bot whose agent was disabled, or that did not run yet.
    await core.bots.sendHeld(botId)
    this.#show(running)
  }

  #make(row: RunnableBot): Running<C> {
    const { core, logger, hold, makeBot, middleware, handle, observer } = this.#options
    const { botId, username, name, token } = row
    const bot = makeBot(token, {
      toTelegram: (body) => toTelegramIds(core.bots.chats, body),
      answered: (status) => this.#answered(running, status),
    })
    bot.botInfo = meOf(botId, username, name)
    bot.use(middleware)
    // Chats are looked up one after the other, so that updates keep their order.
    let line = Promise.resolve<unknown>(undefined)
    const take: TakeUpdate = async (update) => {
      observer?.received(username)
      const own = line.then(() => this.#withOwnChat(botId, update))
      line = own.catch(() => {})
      try {
        const known = await own
        await (known ? handle(known, running) : leave(bot.api, update))
      } catch (error) {
        if (this.#isStopped) return
        logger.error({ bot: botId, update: update.update_id, err: toLoggable(error) }, 'an update was lost')
      }
    }
    const webhook = this.#webhookOf(botId)
    const receiver = webhook
      ? new Webhook(bot.api, take, webhook)
      : new Polling(bot.api, take, logger.child({ bot: botId }), { hold })
    const unknown = { started: false, triedAt: undefined, notShownAt: -Infinity, refusals: undefined }
    const running: Running<C> = { botId, bot, receiver, row, ...unknown }
    this.#running.set(botId, running)
    return running
  }

  /** {@link withOwnChat}, also when the database does not answer for a while, as while another server of it takes over. */
  async #withOwnChat(botId: number, update: Update): Promise<Update | undefined> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await withOwnChat(this.#options.core.bots.chats, botId, update)
      } catch (error) {
        if (attempt >= CHAT_ATTEMPTS || this.#isStopped) throw error
        await this.#pause(pauseAfter(error, attempt))
      }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  /** @param forGood Telegram keeps what comes from now on, and does not deliver it in vain */
  async #remove(running: Running<C>, forGood: boolean): Promise<void> {
    const { botId, bot, receiver } = running
    // It is known until then: what is in hand is answered.
    await receiver.stop()
    this.#running.delete(botId)
    if (!forGood || !(receiver instanceof Webhook)) return
    await bot.api.deleteWebhook().catch((error: unknown) => {
      if (!isTelegramError(error)) throw error
    })
  }

  /** Counts refusals of the token, and conflicts with another program, and parks the bot when they last (rules 20.6). */
  #answered(running: Running<C>, status: number): void {
    const { botId, refusals, started, row } = running
    if (status >= 400) this.#options.observer?.refused(row.username, status)
    if (status === 429 && !started) this.#starts.slowDown()
    // 404: the bot is gone (Bot API).
    const what = status === 401 || status === 404 ? 'token' : status === 409 ? 'conflict' : undefined
    if (what === undefined) {
      // The token is good; of another program, other calls say nothing.
      if (status < 400 && refusals?.what === 'token') running.refusals = undefined
      return
    }
    const now = performance.now()
    const isNext = refusals?.what === what && now - refusals.since < IN_A_ROW_MS
    const { count, since } = isNext ? { ...refusals, count: refusals.count + 1 } : { count: 1, since: now }
    running.refusals = { what, count, since }
    const leastMs = what === 'token' ? PARKS_AFTER.refusedMs : PARKS_AFTER.conflictMs
    if (count < PARKS_AFTER.refusals || now - since < leastMs) return
    running.refusals = undefined
    void this.#park(running, what).catch((error: unknown) => {
      if (this.#isStopped) return
      this.#options.logger.error({ bot: botId, err: toLoggable(error) }, "an agent's bot could not be parked")
    })
  }

  async #park({ botId, row }: Running<C>, what: 'token' | 'conflict'): Promise<void> {
    const { core } = this.#options
    // One that was stopped, or has another token meanwhile.
    if (this.#isStopped || this.#running.get(botId)?.row.token !== row.token) return
    if (what === 'conflict') await core.bots.setState(botId, 'conflict')
    else if (!(await this.#renewToken(row))) await core.bots.setState(botId, 'unauthorized')
    return this.refresh()
  }

  /**
   * Stores the token that a bot of the shop's has now: its owner may have replaced it at @BotFather.
   *
   * @returns whether it has another one
   * @throws that Telegram cannot be reached
   */
  async #renewToken({ botId, managed }: RunnableBot): Promise<boolean> {
    if (!managed) return false
    try {
      return await this.#options.core.bots.changeToken(botId, await this.#tokenOf(botId, 1))
    } catch (error) {
      if (!isTelegramError(error) || isOutage(error)) throw error
      return false
    }
  }

  /** Lets a parked bot go on that works again. */
  async #tryAgain({ bot, row }: Running<C>): Promise<void> {
    const { core } = this.#options
    const { botId, state } = row
    if (state === 'unauthorized' && (await this.#renewToken(row))) return this.refresh()
    try {
      await bot.api.getMe()
      if (state === 'conflict' && (await this.#isTakenAway(bot.api, botId))) return
    } catch (error) {
      if (!isTelegramError(error)) throw error
      return
    }
    await core.bots.setState(botId, 'active')
    return this.refresh()
  }

  /** Whether another program receives the updates of a bot in conflict. @throws a conflict, when it polls */
  async #isTakenAway(api: Api, botId: number): Promise<boolean> {
    const { url = '' } = await api.getWebhookInfo()
    const own = this.#webhookOf(botId)
    if (url !== '' && url !== own?.url) return true
    if (!own) await api.getUpdates({ limit: 1, timeout: CONFLICT_LOOK_S })
    return false
  }

  /** Who has the token can take the updates away: nothing tells of that where they come by a webhook. */
  async #look({ botId, bot }: Running<C>): Promise<void> {
    const own = this.#webhookOf(botId)
    if (!own || (await bot.api.getWebhookInfo()).url === own.url) return
    await this.#options.core.bots.setState(botId, 'conflict')
    return this.refresh()
  }

  /** Sets what Telegram shows of a bot, where that has changed; nothing waits for it. */
  #show(running: Running<C>): void {
    const { row, bot, notShownAt } = running
    const { botId, state, name, welcome, languages } = row
    const shown = JSON.stringify([name, welcome, languages])
    const { core, logger, present } = this.#options
    const now = core.now().getTime()
    if (state !== 'active' || running.shown === shown || now - notShownAt < TRY_AGAIN_MS) return
    running.shown = shown
    const set = async () => {
      if (!this.#isStopped) await present(bot.api, row)
    }
    void this.#shows(set).catch((error: unknown) => {
      if (this.#isStopped) return
      running.notShownAt = now
      delete running.shown
      const about = { bot: botId, err: toLoggable(error) }
      if (isTelegramError(error)) logger.warn(about, "texts of an agent's bot were not set")
      else logger.error(about, "texts of an agent's bot were not set")
    })
  }
}

/** Returns what `getMe` answers of a bot that was asked before. */
function meOf(id: number, username: string, name: string): UserFromGetMe {
  return {
    id,
    username,
    first_name: name,
    is_bot: true,
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
