import { FALLBACK_LANGUAGE, type Language, LANGUAGE_FACTS, languageOfTag } from '../../core/languages.ts'
import { isShopBotChat } from '../../core/access/chat-keys.ts'
import type { ChatLocale } from '../../core/chat-locale.ts'
import { withBranded } from './branded.ts'
import { type Dates, datesIn } from './dates.ts'
import { branded as enBranded } from './en/branded.ts'
import * as en from './en/index.ts'
import { branded as ruBranded } from './ru/branded.ts'
import * as ru from './ru/index.ts'
import { branded as zhBranded } from './zh/branded.ts'
import * as zh from './zh/index.ts'
import type { Words } from './words.ts'

export type { Words }

/** Everything a chat reads: the words of its language, and dates in its time zone. */
export type Texts = Words & Dates

export const LOCALES: Readonly<Record<Language, Words>> = { en, zh, ru }

const BRANDED: Readonly<Record<Language, Words>> = {
  en: withBranded(en, enBranded),
  zh: withBranded(zh, zhBranded),
  ru: withBranded(ru, ruBranded),
}

/** Returns the words of a language in the bot of an agent. */
export function brandedWords(language: Language): Words {
  return BRANDED[language]
}

/** Texts by language, zone, whether times name the zone, and whether the bot is that of an agent. Holds zones that exist only, so its size is bounded. */
const made = new Map<string, Texts>()

/**
 * Returns the texts of a chat. In a group, where each may think of another zone, every time names its zone; in the bot of an agent, nobody
 * but the agent is spoken of (rules 20.4).
 */
export function textsOf({ chatId, language, timeZone }: ChatLocale): Texts {
  const zone = timeZone ?? LANGUAGE_FACTS[language].timeZone
  const named = timeZone === null || chatId < 0
  const ofShop = isShopBotChat(chatId)
  const key = `${language} ${zone} ${named} ${ofShop}`
  const known = made.get(key)
  if (known) return known
  const words = ofShop ? LOCALES[language] : brandedWords(language)
  const texts = { ...words, ...datesIn(words.calendar, zone, named) }
  made.set(key, texts)
  return texts
}

/** The language of a person of whom only Telegram's `language_code` is known. */
export function languageOf(code: string | undefined): Language {
  return languageOfTag(code ?? '') ?? FALLBACK_LANGUAGE
}
