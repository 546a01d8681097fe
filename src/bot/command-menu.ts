import type { Api } from 'grammy'
import type { Language } from '../core/catalog/places.ts'
import type { BotContext } from './context.ts'
import { languageOf, LOCALES, type Texts } from './locales/index.ts'
import { isTelegrams } from './telegram-error.ts'

/** The commands of the menu, in its order; each is handled by a feature. */
const COMMANDS = [
  'start',
  'menu',
  'buy',
  'traffic',
  'proxies',
  'topup',
  'balance',
  'records',
  'users',
  'settings',
  'login',
  'logout',
  'language',
  'help',
  'cancel',
] as const satisfies (keyof Texts['commands'])[]

/** Private chats only: in groups the bot has nothing to offer. */
const PRIVATE_CHATS = { type: 'all_private_chats' } as const

/** The menu that everybody sees, in the language of their Telegram. */
export async function setCommandMenu(api: Api): Promise<void> {
  await api.setMyCommands(menuIn('en'), { scope: PRIVATE_CHATS })
  await api.setMyCommands(menuIn('zh'), { scope: PRIVATE_CHATS, language_code: 'zh' })
}

/** Whether the chat speaks another language than its person's Telegram. */
export function hasOwnMenu({ from, session }: BotContext): boolean {
  return languageOf(from?.language_code) !== session.language
}

/** The menu of one chat: its own one where it has chosen another language, else that of everybody. */
export async function setChatCommandMenu(ctx: BotContext): Promise<void> {
  const { api, chatId = 0, session } = ctx
  const scope = { type: 'chat', chat_id: chatId } as const
  try {
    await (hasOwnMenu(ctx)
      ? api.setMyCommands(menuIn(session.language), { scope })
      : api.deleteMyCommands({ scope }))
  } catch (error) {
    // The menu is a comfort: nothing fails with it.
    if (!isTelegrams(error)) throw error
  }
}

function menuIn(language: Language) {
  return COMMANDS.map((command) => ({ command, description: LOCALES[language].commands[command] }))
}
