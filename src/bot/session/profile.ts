import type { Api } from 'grammy'
import { LOCALES } from '../texts/index.ts'

/** The default language and Chinese. */
const LANGUAGES = [
  [undefined, LOCALES.en],
  ['zh', LOCALES.zh],
] as const

/**
 * Sets what people read before they press Start, and beside a link to the bot. What the operator has written, as with @BotFather,
 * stays (rules 18.4).
 */
export async function setProfile(api: Api): Promise<void> {
  for (const [code, { profile }] of LANGUAGES) {
    const language = code && { language_code: code }
    const [{ description }, { short_description: short }] = [
      await api.getMyDescription(language),
      await api.getMyShortDescription(language),
    ]
    // Telegram answers with the default where a language has no text of its own.
    if (isOurs(description)) await api.setMyDescription(profile.description, language)
    if (isOurs(short)) await api.setMyShortDescription(profile.short, language)
  }

  function isOurs(text: string): boolean {
    return text === '' || text === LOCALES.en.profile.description || text === LOCALES.en.profile.short
  }
}
