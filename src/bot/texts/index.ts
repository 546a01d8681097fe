import type { Language } from '../../core/catalog/places.ts'
import { en, type Texts } from './en.ts'
import { zh } from './zh.ts'

export type { Texts }

export const LOCALES: Readonly<Record<Language, Texts>> = { en, zh }

/** The language of a person of whom only Telegram's `language_code` is known. */
export function languageOf(code: string | undefined): Language {
  return code?.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}
