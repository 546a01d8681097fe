import { below, type Content } from '../../core/notices/content.ts'
import type { Notice } from '../../core/notices/messenger.ts'
import { LOCALES } from '../texts/index.ts'

/** What the shop or an agent has written to many, as each of them sees it: an agent's name stands above its message. */
export function newsOf({ language, facts }: Extract<Notice, { kind: 'broadcast' }>): Content {
  const { sender, ...content } = facts
  return sender === null ? content : below(LOCALES[language].users.message.from(sender), content)
}
