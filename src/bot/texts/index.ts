import type { Language } from '../../core/catalog/places.ts'
import * as en from './en.ts'
import * as zh from './zh.ts'

/** Everything the bot says; Chinese has the shape of English, so a missing text does not compile. */
export type Texts = typeof en

export const LOCALES: Readonly<Record<Language, Texts>> = { en, zh }

/** The language of a person of whom only Telegram's `language_code` is known. */
export function languageOf(code: string | undefined): Language {
  return code?.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}
