import { lines } from '../kit/html.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from './context.ts'

/** Whether the chat is one of those who run the shop: whoever is in it may do what they may. */
export function isOperatorChat({ core, chatId }: Pick<BotContext, 'core' | 'chatId'>): boolean {
  return chatId !== undefined && core.operator.chats.includes(chatId)
}

/** A screen that asks for something typed: where others talk, too, only a reply is an answer. */
export function askedIn<Asked extends Pick<Screen, 'text'>>(
  { chat, texts }: BotContext,
  screen: Asked,
): Asked {
  return chat?.type === 'private'
    ? screen
    : { ...screen, text: lines(screen.text, '', texts.operator.inGroups) }
}
