import type { Api } from 'grammy'
import { type Brand, languageIn } from '../../core/bots/agent-bot.ts'
import { type Language, LANGUAGES } from '../../core/languages.ts'
import { languageOf, LOCALES, type Texts } from '../texts/index.ts'
import { isTelegramError } from '../transport/telegram-error.ts'
import type { BotContext } from './context.ts'
import { allows, isOperatorChat } from './operator-chat.ts'
import { inTelegram } from './telegram-language.ts'

type Command = keyof Texts['commands']

/** What each kind of chat finds in its menu, in this order; each command is handled by a feature. */
const FOR_VISITORS: readonly Command[] = ['start', 'login', 'guide', 'language', 'help', 'cancel']
const FOR_MEMBERS: readonly Command[] = [
  'menu',
  'buy',
  'traffic',
  'proxies',
  'orders',
  'topup',
  'balance',
  'records',
  'support',
  'guide',
  'users',
  'earnings',
  'settings',
  'accounts',
  'language',
  'help',
  'logout',
  'cancel',
]
/** In the bot of an agent nobody logs in with a password, and nobody is an agent (rules 20.5). */
const FOR_STRANGERS = FOR_VISITORS.filter((command) => command !== 'login')
const FOR_CUSTOMERS = FOR_MEMBERS.filter((command) => command !== 'users' && command !== 'earnings')
const FOR_OPERATORS: readonly Command[] = [
  'operator',
  'find',
  'payments',
  'agents',
  'products',
  'stock',
  'suppliers',
  'exits',
  'tickets',
  'broadcast',
]

/** Scope of the default menu; groups have a menu only where the operator is. */
const PRIVATE_CHATS = { type: 'all_private_chats' } as const

/**
 * Sets the default menu, that of whoever is not logged in, in the language of their Telegram.
 *
 * @param brand the agent whose bot it is; undefined: the shop's
 */
export async function setCommandMenu(api: Api, brand?: Pick<Brand, 'languages'>): Promise<void> {
  const commands = brand ? FOR_STRANGERS : FOR_VISITORS
  for (const language of LANGUAGES)
    await api.setMyCommands(described(commands, languageIn(brand, language)), {
      scope: PRIVATE_CHATS,
      ...inTelegram(language),
    })
}

/** Stands for the menu of a chat for which the default one is right. */
const NO_OWN_MENU = ''

/**
 * Gives each chat the commands that fit it: who is logged in there, in which language, and whether it is one of the operator's.
 * Telegram is called when that changes, and once after a start for each chat with a menu of its own; one call of a bot at a
 * time, after the update has been handled.
 */
export class CommandMenus {
  /** The menu that each chat shows, undefined when that is not known; chats that are missing show the default one. */
  readonly #shown = new Map<number, string | undefined>()
  /** The last call of each bot. */
  readonly #calls = new Map<number, Promise<void>>()

  /** Updates the chat's menu, if it has to change. To be called with every update that was handled. */
  follow(ctx: BotContext): void {
    const { chatId = 0, session } = ctx
    const commands = ownCommands(ctx)
    const menu = commands ? [session.language, ...commands].join(' ') : NO_OWN_MENU
    // A log-in that has ended while the process was down has left its menu behind.
    const first = !this.#shown.has(chatId) && !session.ended ? NO_OWN_MENU : undefined
    if ((this.#shown.get(chatId) ?? first) === menu) return
    this.#shown.set(chatId, menu)
    const shown = this.#show(this.#calls.get(ctx.me.id), ctx, commands, () => {
      if (this.#shown.get(chatId) === menu) this.#shown.set(chatId, undefined)
    })
    this.#calls.set(ctx.me.id, shown)
  }

  /** @param forget marks the menu that is shown as unknown, after a failed call */
  async #show(
    before: Promise<void> | undefined,
    { api, chatId = 0, logger, session }: BotContext,
    commands: readonly Command[] | undefined,
    forget: () => void,
  ): Promise<void> {
    await before
    const scope = { type: 'chat', chat_id: chatId } as const
    try {
      await (commands
        ? api.setMyCommands(described(commands, session.language), { scope })
        : api.deleteMyCommands({ scope }))
    } catch (error) {
      // Best effort; retried with the chat's next update.
      if (!isTelegramError(error)) logger.error({ err: error }, 'the command menu of a chat was not set')
      forget()
    }
  }
}

/** Returns the commands of a chat; undefined where the default menu is right. */
function ownCommands(ctx: BotContext): readonly Command[] | undefined {
  const { chat, from, session, brand } = ctx
  const forShop = FOR_OPERATORS.filter((command) => command !== 'broadcast' || allows(ctx, 'broadcast.draft'))
  // Nobody logs in in a group: it has the operator's commands only.
  if (chat?.type !== 'private') return isOperatorChat(ctx) ? [...forShop, 'cancel'] : undefined
  const { actor, language } = session
  if (isOperatorChat(ctx)) return [...forShop, ...commandsFor(ctx)]
  const isDefault = !actor && languageIn(brand, languageOf(from?.language_code)) === language
  return isDefault ? undefined : commandsFor(ctx)
}

function commandsFor({ session: { actor }, brand }: BotContext): readonly Command[] {
  if (!actor) return brand ? FOR_STRANGERS : FOR_VISITORS
  return actor.role === 'agent' && !brand ? FOR_MEMBERS : FOR_CUSTOMERS
}

function described(commands: readonly Command[], language: Language) {
  return commands.map((command) => ({ command, description: LOCALES[language].commands[command] }))
}
