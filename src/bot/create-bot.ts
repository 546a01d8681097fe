import type { ConversationBuilder } from '@grammyjs/conversations'
import { Bot, Composer, Context, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import type { Core } from '../core/core.ts'
import type { Hold } from '../core/database/client.ts'
import { ServiceError } from '../core/errors.ts'
import type { Messenger } from '../core/notices/messenger.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { ScreenRefresher } from '../core/screens/refresh-screens.ts'
import { ASK, askDialogue, questionsByName } from './dialogue/ask.ts'
import { activeConversations, dialogues } from './dialogue/dialogues.ts'
import { beginShown, ledConversation } from './dialogue/led.ts'
import { pasted } from './dialogue/pasted.ts'
import { unhandled } from './dialogue/unhandled.ts'
import { closeFeature } from './notices/close.ts'
import { createMessenger } from './notices/messenger.ts'
import { answerButtons } from './session/answer-buttons.ts'
import { CommandMenus, setCommandMenu } from './session/command-menu.ts'
import type { BotContext, LinkBases } from './session/context.ts'
import { type Feature, presses } from './session/feature.ts'
import { answerInTopic } from './session/in-topic.ts'
import { openSession } from './session/open-session.ts'
import { hasLeft, otherChats } from './session/other-chats.ts'
import { type Permits, permitsOf } from './session/permitted.ts'
import { setBrand, setProfile } from './session/profile.ts'
import { createScreenRefresher, type FollowedScreen } from './session/screen-refresher.ts'
import { strangers } from './session/strangers.ts'
import { slowDown, turnAway } from './session/slow-down.ts'
import { surviveErrors } from './session/survive-errors.ts'
import type { Find } from './dialogue/pasted.ts'
import type { Topic } from './dialogue/topic.ts'
import { accounts } from './topics/accounts/index.ts'
import { otherAccount } from './topics/accounts/other-account.ts'
import { agents } from './topics/agents/index.ts'
import { buy } from './topics/buy/index.ts'
import { catalog } from './topics/catalog/index.ts'
import { pastedSearches } from './topics/customers/find.ts'
import { customers } from './topics/customers/index.ts'
import { earnings } from './topics/earnings/index.ts'
import { guide } from './topics/guide/index.ts'
import { homeScreenFor } from './topics/home/home-screen.ts'
import { home } from './topics/home/index.ts'
import { logIn } from './topics/log-in/index.ts'
import { machine } from './topics/machine/index.ts'
import { operator } from './topics/operator/index.ts'
import { followedOrderScreen } from './topics/orders/followed-screen.ts'
import { followedSelectionScreen } from './topics/orders/selection-outcome.ts'
import { followedTestScreen, followedTestsScreen } from './topics/orders/test-screens.ts'
import { orders } from './topics/orders/index.ts'
import { ownBotDoor } from './topics/own-bots/door.ts'
import { ownBots } from './topics/own-bots/index.ts'
import { people } from './topics/people/index.ts'
import { programs } from './topics/programs/index.ts'
import { promotions } from './topics/promotions/index.ts'
import { receipts } from './topics/receipts/index.ts'
import { records } from './topics/records/index.ts'
import { settings } from './topics/settings/index.ts'
import { support } from './topics/support/index.ts'
import { ticketReplies } from './topics/support/replies.ts'
import { stock } from './topics/stock/index.ts'
import { topUps } from './topics/top-ups/index.ts'
import { moneyScreen, paidScreen } from './topics/top-ups/followed-screens.ts'
import { traffic } from './topics/traffic/index.ts'
import { users } from './topics/users/index.ts'
import { when } from './session/when.ts'
import { type AgentBotObserver, AgentBots, type Served } from './transport/agent-bots.ts'
import { Connection } from './transport/connection.ts'
import { FloodLimit } from './transport/flood-limit.ts'
import { KnownMessages } from './transport/known-messages.ts'
import { followMovedChats } from './transport/moved-chats.ts'
import { Polling } from './transport/polling.ts'
import { toLoggable, isOutage, isTelegramError } from './transport/telegram-error.ts'
import { type Line, transportsOf, type Shortcut } from './transport/transport.ts'
import { UpdateQueue } from './transport/update-queue.ts'
import { NOTES, UPDATE_KINDS } from './transport/updates.ts'
import { Webhook, webhookOf, type WebhookSettings } from './transport/webhook.ts'

/** What the bot can do. The one list of all topics; what was pasted is searched in this order. */
const TOPICS: readonly Topic[] = [
  logIn,
  accounts,
  home,
  guide,
  buy,
  users,
  orders,
  traffic,
  earnings,
  ownBots,
  topUps,
  receipts,
  records,
  settings,
  programs,
  support,
  operator,
  machine,
  people,
  customers,
  catalog,
  stock,
  agents,
  promotions,
  { features: [closeFeature()] },
]
/** What agents do with their customers, programs and money, and those who run the shop: in the shop's bot only (rules 20.5). */
const OF_SHOP = new Set<Topic>([
  users,
  earnings,
  ownBots,
  programs,
  promotions,
  agents,
  operator,
  machine,
  people,
  customers,
  catalog,
  stock,
])
const FEATURES = TOPICS.flatMap(({ features, ofShop = [] }) => [...features, ...ofShop])
/** What the bots of agents can do. */
const FOR_CUSTOMERS = TOPICS.flatMap((topic) => (OF_SHOP.has(topic) ? [] : topic.features))
const QUESTIONS = TOPICS.flatMap(({ questions = [] }) => questions)
const FINDS = TOPICS.flatMap(({ finds = [] }) => finds)
const FINDS_OF_CUSTOMERS = TOPICS.flatMap((topic) => (OF_SHOP.has(topic) ? [] : (topic.finds ?? [])))
const BY_NAME = questionsByName(QUESTIONS)
/** Actions whose buttons work whichever account acts in the chat. */
const OF_NO_ACCOUNT = new Set(
  FEATURES.filter(({ ofAccount }) => !ofAccount).flatMap(({ buttons }) => buttons.map(([{ name }]) => name)),
)
/** Questions that screens take, each with a conversation of its own. */
const SCREEN_QUESTIONS = QUESTIONS.filter(({ presses: own }) => own)
const DIALOGUES = TOPICS.flatMap(({ dialogues = {} }) => Object.entries(dialogues))

const followedScreen: FollowedScreen = (core, following) => {
  const { followed } = following
  switch (followed.kind) {
    case 'order':
      return followedOrderScreen(core, following, followed)
    case 'renewals':
      return followedSelectionScreen(core, following)
    case 'test':
      return followedTestScreen(core, following, followed)
    case 'tests':
      return followedTestsScreen(core, following, followed)
    case 'top_up':
      return paidScreen(core, following, followed)
    case 'balance':
      return moneyScreen(core, following, followed)
  }
}

export interface BotOptions {
  readonly core: Core
  readonly clock: Clock
  readonly token: string
  /** Bot API server: Telegram's or the sandbox's. */
  readonly apiRoot: string
  /** Secret from which the key of stored dialogues is derived. */
  readonly secret: string
  readonly logger: Logger
  /** Addresses below which the public links are; undefined when people could not open them. */
  readonly linkBases: LinkBases | undefined
  /** The same for the bots of agents, where nothing tells of the shop. */
  readonly agentLinkBases?: LinkBases | undefined
  /** Where this server is reached from outside; undefined when it is not. */
  readonly publicUrl?: string | undefined
  /** See {@link BotContext.localUrl} and {@link BotContext.installation}. */
  readonly localUrl?: string | undefined
  readonly installation?: BotContext['installation']
  /** Updates come in by this webhook; without it, by long polling. */
  readonly webhook?: WebhookSettings | undefined
  /** See {@link BotContext.files}. */
  readonly files?: string | undefined
  /** Counts what the bots of agents do. */
  readonly observer?: AgentBotObserver | undefined
  /** The chat that backups are sent to. */
  readonly backupChat?: number | undefined
  /** Lets one of several servers poll; undefined: there is only this one. */
  readonly hold?: Hold | undefined
  /** Called with the bot's username once Telegram has answered. */
  readonly connected?: (username: string) => Promise<void>
  /** Messages and presses of one chat that are handled in ten seconds; 0 for no limit. */
  readonly chatLimit?: number
  /** Milliseconds after which an update counts as hung, and its chat goes on with the next one. */
  readonly patience?: number
  /** For tests: makes calls in another way than over HTTP. */
  readonly shortcut?: Shortcut | undefined
}

export interface RunningBot {
  readonly messenger: Messenger
  /** Redraws a live screen that follows something which has changed. */
  readonly refreshScreen: ScreenRefresher
  /** @param ending stops the wait for Telegram, before the bot is stopped */
  start(ending?: AbortSignal): Promise<void>
  stop(): Promise<void>
  /** Whether updates can come in. */
  readonly alive: boolean
  /** Takes an update of a bot that came by its webhook; see {@link Webhook.receive}. */
  receive(update: Update, botId: number): Promise<void>
  /** The bots of agents that run in this process. */
  readonly agentBots: AgentBots<BotContext>
}

/** Time limit of one Bot API call, its retries and pauses included. */
const CALL_LIMIT_S = 20
const PATIENCE_MS = 30_000

/**
 * The bot. What an update passes, in this order:
 *  1. one after the other in each chat, and not too many at once
 *  2. answers stay in the topic; the bot leaves channels and other people's groups; service messages are ignored
 *  3. every pressed button is answered
 *  4. errors, and what takes too long, are logged and shown; the chat goes on
 *  5. the chat's session, texts and screen; when all is done, its menu of commands
 *  6. a request to slow down
 *  7. blocking and unblocking
 *  8. in the operator's groups, only who runs the shop
 *  9. a button of another account becomes the question whether to switch
 * 10. replies to messages of a ticket
 * 11. the stored dialogue is loaded; commands and buttons end it
 * 12. dialogues, and the conversation of the live screen; at the end, that of the screen which was shown begins
 * 13. the feature that handles the button or the command; in groups, those of the operator only
 * 14. a search for a line of who runs the shop, then for what customers paste; then everything that nothing before has handled
 */
export function createBot({
  core,
  clock,
  token,
  apiRoot,
  secret,
  logger,
  linkBases,
  agentLinkBases,
  publicUrl,
  localUrl,
  installation,
  webhook,
  hold,
  connected = async () => {},
  files,
  observer,
  backupChat,
  chatLimit = 0,
  patience = PATIENCE_MS,
  shortcut,
}: BotOptions): RunningBot {
  const closing = new AbortController()
  const known = new KnownMessages()
  const transportOf = transportsOf(known, clock, closing.signal, shortcut)
  const makeBot = (ofToken: string, line?: Line) =>
    new Bot<BotContext>(ofToken, {
      client: { apiRoot, timeoutSeconds: CALL_LIMIT_S, fetch: transportOf(line) as never },
    })
  const bot = makeBot(token)
  bot.api.config.use(followMovedChats(core.chats.moved))
  const flood = new FloodLimit(chatLimit)
  const menus = new CommandMenus()
  const session = { core, logger, linkBases, publicUrl, localUrl, installation, files }
  const ofAgents = { linkBases: agentLinkBases, publicUrl: undefined, localUrl: undefined }
  const agentBots = new AgentBots<BotContext>({
    core,
    logger,
    shop: bot.api,
    makeBot,
    middleware: (ctx, next) => ofCustomers(ctx, next),
    handle: (update, served): Promise<void> => queue.add(update, served),
    present: setBrand,
    webhook,
    hold,
    observer,
  })
  const permits = permitsOf(FEATURES)
  const passNotes = when(Context.has.filterQuery([...NOTES]), () => {})
  const ofCustomers = new Composer(
    passNotes,
    chatOf(FOR_CUSTOMERS, FINDS_OF_CUSTOMERS, permitsOf(FEATURES, FOR_CUSTOMERS)),
  ).middleware()
  bot.use(
    when(
      Context.has.filterQuery(UPDATE_KINDS),
      answerInTopic,
      otherChats({ core, logger, backupChat }),
      passNotes,
      when(Context.has.chatType(['private', 'group', 'supergroup']), chatOf(FEATURES, FINDS, permits)),
    ),
  )

  /** What an update in a chat of a bot passes. */
  function chatOf(
    features: readonly Feature[],
    finds: readonly Find[],
    ofBot: Permits,
  ): Composer<BotContext> {
    const chat = new Composer<BotContext>()
    chat.use(answerButtons)
    chat.use(surviveErrors({ core, logger, patience, closing: closing.signal }))
    chat.use(
      openSession({
        ...session,
        ...(features !== FEATURES && ofAgents),
        agentBots,
        homeScreen: homeScreenFor,
        permits: ofBot,
      }),
    )
    chat.use((ctx, next) => next().then(() => menus.follow(ctx)))
    // Before anything is answered: a bot that nobody has opened answers nobody.
    if (features !== FEATURES) chat.use(ownBotDoor)
    chat.use(slowDown(flood))
    chat.use(
      when(Context.has.filterQuery('my_chat_member'), (ctx) =>
        core.chats.setBlocked(ctx.chat.id, hasLeft(ctx)),
      ),
    )
    chat.use(strangers)
    chat.use(otherAccount((action) => !OF_NO_ACCOUNT.has(action)))
    chat.use(ticketReplies())
    const press = presses(features)
    chat.use(dialogues(core, secret, new Set(SCREEN_QUESTIONS.map(({ name }) => name))))
    const carryOut = async (ctx: BotContext) => press(ctx, async () => {})
    chat.use(
      activeConversations(
        new Map<string, ConversationBuilder<BotContext, Context>>([
          ...DIALOGUES,
          [ASK, askDialogue(QUESTIONS)],
          ...SCREEN_QUESTIONS.map((question) => {
            return [question.name, ledConversation(question, carryOut, BY_NAME)] as const
          }),
        ]),
      ),
    )
    chat.use(beginShown)
    chat.use(press)
    for (const { worksIn, commands } of features) chat.use(when(worksIn, commands))
    chat.chatType('private').use(pastedSearches(), pasted(finds, BY_NAME), unhandled())
    return chat
  }

  const shop: Served<BotContext> = { botId: 0, bot }
  const queue = new UpdateQueue<Served<BotContext>>({
    handle: (update, { botId, bot: its }) => {
      if (update.callback_query?.message) known.see(update.callback_query.message)
      const handled = update.managed_bot ? agentBots.made(update.managed_bot) : its.handleUpdate(update)
      return handled.catch((error: unknown) => {
        if (!closing.signal.aborted)
          logger.error(
            { err: toLoggable(error), update: update.update_id, ...(botId && { bot: botId }) },
            'an update was lost',
          )
      })
    },
    admit: (update, { bot: its }) => {
      const admitted = flood.admits(update)
      if (!admitted) void turnAway(its.api, update)
      return admitted
    },
  })
  const refresh = createScreenRefresher(agentBots, core, followedScreen)
  const take = (update: Update) => queue.add(update, shop)
  const kinds = core.bots.enabled ? [...UPDATE_KINDS, 'managed_bot' as const] : UPDATE_KINDS
  const receiver = webhook
    ? new Webhook(bot.api, take, { ...webhookOf(webhook, 0), kinds })
    : new Polling(bot.api, take, logger, { hold, kinds })
  const connection = new Connection(async (stopped) => {
    bot.botInfo = await knownBot(bot)
    await core.database.keepBot(bot.botInfo)
    await connected(bot.botInfo.username)
    await receiver.connect()
    const optional = (what: string) => (error: unknown) => {
      if (!isTelegramError(error)) throw error
      logger.warn({ err: toLoggable(error) }, `the ${what} was not set`)
    }
    await setCommandMenu(bot.api).catch(optional('command menu'))
    if (stopped.aborted) return
    receiver.start()
    await setProfile(bot.api).catch(optional('description of the bot'))
  }, logger)

  return {
    messenger: createMessenger({ agentBots, api: bot.api, core, logger, permits, files }),
    refreshScreen: (following) => queue.inTurn(following.chatId, () => refresh(following)),
    start: (ending) => connection.start(ending),
    stop: async () => {
      connection.stop()
      await Promise.all([receiver.stop(), agentBots.stop()])
      closing.abort()
    },
    receive: async (update, botId) => {
      if (botId !== 0) return agentBots.receive(update, botId)
      if (!(receiver instanceof Webhook)) throw new ServiceError('route_not_found')
      await receiver.receive(update)
    },
    agentBots,
    get alive() {
      return receiver.alive
    },
  }
}

/** @throws when Telegram does not know the token, or cannot be reached */
async function knownBot(bot: Bot<BotContext>) {
  return bot.api.getMe().catch((error: unknown) => {
    if (!(error instanceof GrammyError) || isOutage(error)) throw error
    throw new OperatorError(`Telegram refuses BOT_TOKEN: ${error.description}`, { cause: error })
  })
}
