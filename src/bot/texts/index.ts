import { FALLBACK_LANGUAGE, type Language, LANGUAGE_FACTS, languageOfTag } from '../../core/languages.ts'
import type { ChatLocale } from '../../core/chat-locale.ts'
import { type Dates, datesIn } from './dates.ts'
import * as en from './en/index.ts'
import * as ru from './ru/index.ts'
import * as zh from './zh/index.ts'

/** What the bot says in a language: all have the shape of English, so a missing text does not compile. */
export type Words = typeof en

/** Everything a chat reads: the words of its language, and dates in its time zone. */
export type Texts = Words & Dates

export const LOCALES: Readonly<Record<Language, Words>> = { en, zh, ru }

/** Texts by language, zone and whether times name the zone. Holds zones that exist only, so its size is bounded. */
const made = new Map<string, Texts>()

/** Returns the texts of a chat. In a group, where each may think of another zone, every time names its zone. */
export function textsOf({ chatId, language, timeZone }: ChatLocale): Texts {
  const zone = timeZone ?? LANGUAGE_FACTS[language].timeZone
  const named = timeZone === null || chatId < 0
  const key = `${language} ${zone} ${named}`
  const known = made.get(key)
  if (known) return known
  const words = LOCALES[language]
  const texts = { ...words, ...datesIn(words.calendar, zone, named) }
  made.set(key, texts)
  return texts
}

/** The language of a person of whom only Telegram's `language_code` is known. */
export function languageOf(code: string | undefined): Language {
  return languageOfTag(code ?? '') ?? FALLBACK_LANGUAGE
}
