import type { Api } from 'grammy'
import { type Brand, languageIn } from '../../core/bots/agent-bot.ts'
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../core/languages.ts'
import { brandedWords, LOCALES } from '../texts/index.ts'
import { setCommandMenu } from './command-menu.ts'
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

/** Most characters of the text beside a link to a bot (Bot API: setMyShortDescription). */
const MOST_OF_SHORT = 120

/** Sets what Telegram shows of the bot of an agent: name, texts and the menu of commands (rules 20.4). */
export async function setBrand(api: Api, brand: Brand): Promise<void> {
  const { name, welcome } = brand
  await setCommandMenu(api, brand)
  if ((await api.getMyName()).name !== name) await api.setMyName(name)
  for (const each of LANGUAGES) {
    const { profile } = brandedWords(languageIn(brand, each))
    const language = inTelegram(each)
    const description = welcome || profile.description
    const short = (welcome || profile.short).slice(0, MOST_OF_SHORT)
    const shown = {
      ...(await api.getMyDescription(language)),
      ...(await api.getMyShortDescription(language)),
    }
    if (shown.description !== description) await api.setMyDescription(description, language)
    if (shown.short_description !== short) await api.setMyShortDescription(short, language)
  }
}
