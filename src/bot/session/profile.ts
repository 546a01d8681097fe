import type { Api } from 'grammy'
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../core/languages.ts'
import { LOCALES } from '../texts/index.ts'
import { inTelegram } from './telegram-language.ts'

/**
 * Sets what people read before they press Start, and beside a link to the bot. What the operator has written, as with @BotFather,
 * stays (rules 18.4).
 */
export async function setProfile(api: Api): Promise<void> {
  for (const each of LANGUAGES) {
    const { profile } = LOCALES[each]
    const language = inTelegram(each)
    const [{ description }, { short_description: short }] = [
      await api.getMyDescription(language),
      await api.getMyShortDescription(language),
    ]
    // Telegram answers with the default where a language has no text of its own.
    if (isOurs(description)) await api.setMyDescription(profile.description, language)
    if (isOurs(short)) await api.setMyShortDescription(profile.short, language)
  }

  function isOurs(text: string): boolean {
    const { profile } = LOCALES[FALLBACK_LANGUAGE]
    return text === '' || text === profile.description || text === profile.short
  }
}
