import type { Language } from '../../core/languages.ts'
import { en } from './en.ts'
import { ru } from './ru.ts'
import { zh } from './zh.ts'

/** What the API says in a language. */
export type ApiTexts = typeof en

/** Everything the API says to those who call it; its documents are in English. */
export const TEXTS: Readonly<Record<Language, ApiTexts>> = { en, zh, ru }
