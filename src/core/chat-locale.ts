import type { Language } from './languages.ts'
import type { TimeZone } from './time-zone.ts'

/** Language and time zone of a chat. */
export interface ChatLocale {
  readonly chatId: number
  readonly language: Language
  /** The time zone that was chosen; null until then (rules 18.6). */
  readonly timeZone: TimeZone | null
}

/** Picks the locale out of an object that has more fields. */
export function localeOf({ chatId, language, timeZone }: ChatLocale): ChatLocale {
  return { chatId, language, timeZone }
}
