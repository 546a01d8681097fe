import type { Language } from '../../core/languages.ts'
import { en } from './en.ts'
import { ru } from './ru.ts'
import { zh } from './zh.ts'

/** What the activation mail says in a language. */
export const MAILS: Readonly<Record<Language, typeof en>> = { en, zh, ru }
