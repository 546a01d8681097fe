import { Language } from '../generated/prisma/client.ts'
import type { TimeZone } from './time-zone.ts'

export type { Language }

/** What is to know of a language beside its texts. */
interface LanguageFacts {
  /** For `Intl`: BCP 47. */
  readonly locale: string
  /** Time zone of a chat where nobody has chosen one (rules 18.6). */
  readonly timeZone: TimeZone
}

export const LANGUAGE_FACTS: Readonly<Record<Language, LanguageFacts>> = {
  en: { locale: 'en', timeZone: 'UTC' },
  zh: { locale: 'zh-Hans', timeZone: 'Asia/Shanghai' },
}

/** The languages of the service, in the order in which people choose. */
export const LANGUAGES = Object.values(Language)
/** The language of people whose own the service does not have. */
export const FALLBACK_LANGUAGE: Language = 'en'

/** Returns the language that a tag of BCP 47 names, such as `zh-TW`; undefined when the service does not have it. */
export function languageOfTag(tag: string): Language | undefined {
  const [primary] = tag.trim().toLowerCase().split('-')
  return LANGUAGES.find((language) => language === primary)
}

/** Makes a value for each language. */
export function ofEachLanguage<Value>(make: (language: Language) => Value): Record<Language, Value> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<
    Language,
    Value
  >
}
