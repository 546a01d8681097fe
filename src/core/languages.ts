import type { TimeZone } from './time-zone.ts'

/** What is to know of a language beside its texts. */
interface LanguageFacts {
  /** For `Intl`: BCP 47. */
  readonly locale: string
  /** Time zone of a chat where nobody has chosen one (rules 18.6). */
  readonly timeZone: TimeZone
}

/** The languages of the service, in the order in which people choose. */
const REGISTERED = {
  en: { locale: 'en', timeZone: 'UTC' },
  zh: { locale: 'zh-Hans', timeZone: 'Asia/Shanghai' },
  ru: { locale: 'ru', timeZone: 'Europe/Moscow' },
} as const satisfies Readonly<Record<string, LanguageFacts>>

/** A language of the service, by its tag of BCP 47. */
export type Language = keyof typeof REGISTERED

export const LANGUAGE_FACTS: Readonly<Record<Language, LanguageFacts>> = REGISTERED

/** The languages of the service, in the order in which people choose. */
export const LANGUAGES = Object.keys(REGISTERED) as readonly Language[]
/** The language of people whose own the service does not have, and of its documents. */
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
