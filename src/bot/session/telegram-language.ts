import type { LanguageCode } from 'grammy/types'
import { FALLBACK_LANGUAGE, type Language } from '../../core/languages.ts'

/** Returns what names a language when the bot sets texts at Telegram; nothing for the one that Telegram shows to all others. */
export function inTelegram(language: Language): { readonly language_code?: LanguageCode } {
  return language === FALLBACK_LANGUAGE ? {} : { language_code: language }
}
