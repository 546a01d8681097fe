import type { Language } from '../../languages.ts'
import en from './en.json' with { type: 'json' }
import ru from './ru.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** Cities that have a name, by their UN/LOCODE; what suppliers and the gateway call them is their English name. */
export const ENGLISH_NAMES: Readonly<Record<string, string>> = en

type Names = Readonly<Record<keyof typeof en, string>>

/** The names of cities in each language. */
export const CITY_NAMES: Readonly<Record<Language, Names>> = { en, zh, ru }
