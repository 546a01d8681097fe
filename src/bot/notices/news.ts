import { isShopBotChat } from '../../core/access/chat-keys.ts'
import { below, type Content } from '../../core/notices/content.ts'
import type { Notice } from '../../core/notices/messenger.ts'
import { LOCALES } from '../texts/index.ts'

/**
 * What the shop or an agent has written to many, as each of them sees it: in the shop's bot, an agent's name stands above its message.
 */
export function newsOf({ chatId, language, facts }: Extract<Notice, { kind: 'broadcast' }>): Content {
  const { sender, ...content } = facts
  return sender === null || !isShopBotChat(chatId)
    ? content
    : below(LOCALES[language].users.message.from(sender), content)
}
