import { conversations, createConversation } from '@grammyjs/conversations'
import { Bot, type Context, GrammyError, HttpError, type NextFunction } from 'grammy'
import type { Logger } from 'pino'
import type { Core } from '../core/core.ts'
import { randomText } from '../core/ids.ts'
import type { Messenger } from '../core/notices/deliver-notice.ts'
import type { BotContext } from './context.ts'
import { LOG_IN, logInDialogue } from './conversations/log-in.ts'
import { ASK, askDialogue } from './conversations/ask.ts'
import { dialogueKey, dialogueStorage } from './dialogue-storage.ts'
import { buyFeature, howMany } from './features/buy.ts'
import { generalFeature } from './features/general.ts'
import { logInFeature } from './features/log-in.ts'
import { ordersFeature } from './features/orders.ts'
import { unhandledFeature } from './features/unhandled.ts'
import { languageOf, LOCALES } from './locales/index.ts'
import { createMessenger } from './messenger.ts'
import { Polling } from './polling.ts'
import { messageScreen } from './screens/general.ts'
import { remove, show } from './show.ts'
import { fetchWithRetry } from './transport.ts'

export interface BotOptions {
  readonly core: Core
  readonly token: string
  /** Bot API server: Telegram's or the sandbox's. */
  readonly apiRoot: string
  /** From which the key of stored dialogues is derived. */
  readonly secret: string
  readonly logger: Logger
}

export interface RunningBot {
  readonly messenger: Messenger
  start(): Promise<void>
  stop(): Promise<void>
  /** Whether Telegram answers. */
  readonly alive: boolean
}

/** Changes whenever a dialogue's steps change: an unfinished dialogue of the old kind is then dropped instead of misread. */
const DIALOGUE_VERSION = 2

/** How far back Telegram can repeat updates: the batches that were not confirmed yet. */
const REPEAT_WINDOW = 10_000

const COMMANDS = [
  'menu',
  'buy',
  'proxies',
  'balance',
  'login',
  'logout',
  'language',
  'help',
  'cancel',
] as const

/**
 * The bot. Order of what an update passes:
 *  1. private chats only
 *  2. errors are logged and shown; the chat goes on
 *  3. the chat's session, texts and screen
 *  4. every pressed button is answered
 *  5. blocking and unblocking
 *  6. stored dialogues are loaded
 *  7. commands and buttons end a dialogue
 *  8. dialogues
 *  9. features
 * 10. whatever nobody understood
 */
export function createBot({ core, token, apiRoot, secret, logger }: BotOptions): RunningBot {
  const bot = new Bot<BotContext>(token, {
    client: { apiRoot, timeoutSeconds: 60, fetch: fetchWithRetry as never },
  })
  const chat = bot.chatType('private')
  chat.use((ctx, next) => surviveErrors(ctx, next, logger))
  chat.use((ctx, next) => openSession(ctx, next, core, logger))
  chat.use(answerButtons)
  chat.on('my_chat_member', (ctx) =>
    core.chats.setBlocked(ctx.chat.id, ctx.myChatMember.new_chat_member.status === 'kicked'),
  )
  chat.use(
    conversations({
      storage: {
        type: 'key',
        version: DIALOGUE_VERSION,
        getStorageKey: dialogueKey,
        adapter: dialogueStorage(core.chats, secret),
      },
    }),
  )
  chat.filter(
    (ctx) => ctx.callbackQuery !== undefined || ctx.message?.text?.startsWith('/') === true,
    endDialogue,
  )
  chat.use(createConversation(logInDialogue(core), LOG_IN))
  chat.use(createConversation(askDialogue([howMany]), ASK))
  chat.use(generalFeature(), logInFeature(), buyFeature(), ordersFeature(), unhandledFeature())

  const polling = new Polling(bot, logger)
  return {
    messenger: createMessenger(bot.api, core),
    start: async () => {
      await logInToTelegram(bot)
      await setCommands(bot).catch((error: unknown) =>
        logger.warn({ err: describe(error) }, 'the command menu was not set'),
      )
      polling.start()
    },
    stop: () => polling.stop(),
    get alive() {
      return polling.alive
    },
  }
}

/**
 * Waits as long as Telegram cannot be reached.
 *
 * @throws when Telegram does not know the token
 */
async function logInToTelegram(bot: Bot<BotContext>): Promise<void> {
  try {
    await bot.init()
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error
    throw new Error(`Telegram refuses BOT_TOKEN: ${error.description}`, { cause: error })
  }
}

async function setCommands(bot: Bot<BotContext>): Promise<void> {
  for (const language of ['en', 'zh'] as const) {
    const commands = COMMANDS.map((command) => ({
      command,
      description: LOCALES[language].commands[command],
    }))
    await bot.api.setMyCommands(commands, language === 'en' ? {} : { language_code: language })
  }
}

/** A bug, or Telegram's refusal, costs the person one answer and nothing else. */
async function surviveErrors(ctx: BotContext, next: NextFunction, logger: Logger): Promise<void> {
  try {
    await next()
  } catch (error) {
    const reference = randomText(8)
    logger.error({ err: describe(error), reference, chat: ctx.chatId }, 'an update failed')
    if (!ctx.session) return
    await ctx.conversation?.exitAll?.()
    await ctx.show(messageScreen(ctx.texts, ctx.texts.crashed(reference))).catch(() => undefined)
  }
}

/** Neither payloads (what people typed) nor addresses (which hold the token) belong in a log. */
function describe(error: unknown): unknown {
  if (error instanceof GrammyError) return { method: error.method, description: error.description }
  if (error instanceof HttpError) return { message: 'Telegram could not be reached' }
  return error
}

async function openSession(ctx: BotContext, next: NextFunction, core: Core, logger: Logger): Promise<void> {
  const chatId = ctx.chatId
  if (chatId === undefined) return
  const session = await core.chats.session(chatId, languageOf(ctx.from?.language_code))
  if (isRepeated(ctx.update.update_id, session.lastUpdate)) return
  const show = showIn(ctx, chatId)
  Object.assign(ctx, { core, logger, session, texts: LOCALES[session.language], show })
  await next()
}

/**
 * A dialogue must not take the same message for two answers. Everything else may be handled twice: screens show the
 * same again, and a purchase knows its number. Update ids grow; after a quiet week Telegram starts anywhere anew.
 */
function isRepeated(updateId: number, last: number): boolean {
  return updateId <= last && updateId > last - REPEAT_WINDOW
}

/**
 * Shows screens in this chat so that there is one live screen: a button of it edits it in place; after a message, or from a
 * notice, a new one is sent below and the old one is removed.
 */
function showIn(ctx: BotContext, chatId: number): BotContext['show'] {
  return async (screen) => {
    const { screenMessage } = ctx.session
    const follows = screen.follows ?? null
    const pressed = ctx.callbackQuery?.message?.message_id
    const live = pressed === undefined || pressed === screenMessage ? pressed : undefined
    const shown = await show(ctx.api, chatId, screen, live ?? null)
    if (shown === screenMessage && follows === ctx.session.follows) return shown
    if (screenMessage !== null && shown !== screenMessage) await remove(ctx.api, chatId, screenMessage)
    await ctx.core.chats.setScreen(chatId, shown, follows)
    ctx.session = { ...ctx.session, screenMessage: shown, follows }
    return shown
  }
}

/** The button stops spinning, whatever happens; a query that is too old to be answered does not matter. */
async function answerButtons(ctx: BotContext, next: NextFunction): Promise<void> {
  let answered = false
  const answer = async (text?: string, alert = false) => {
    if (answered || !ctx.callbackQuery) return
    answered = true
    try {
      await ctx.answerCallbackQuery(text === undefined ? {} : { text: text.slice(0, 200), show_alert: alert })
    } catch (error) {
      if (!(error instanceof GrammyError)) throw error
    }
  }
  ctx.notify = answer
  try {
    await next()
  } finally {
    await answer()
  }
}

async function endDialogue(ctx: BotContext & Context, next: NextFunction): Promise<void> {
  await ctx.conversation.exitAll()
  await next()
}
