import type { Language } from '../generated/prisma/client.ts'
import type { TimeZone } from './time-zone.ts'

/** How a chat is spoken to. */
export interface ChatLocale {
  readonly chatId: number
  readonly language: Language
  /** The time zone that was chosen; null until then (rules 18.6). */
  readonly timeZone: TimeZone | null
}

/** Only that of something that knows more of the chat. */
export function localeOf({ chatId, language, timeZone }: ChatLocale): ChatLocale {
  return { chatId, language, timeZone }
}
