import { LANGUAGES } from '../../core/languages.ts'
import { action } from '../kit/action.ts'
import { oneOf, pageNumber, wholeNumber } from '../kit/parameters.ts'

/** A bot by its id at Telegram. */
const BOT = { id: wholeNumber } as const

/** Buttons about an agent's own bots. */
export const OWN_BOTS = {
  home: action('mybot'),
  /** Asks for the token of a bot that there is. */
  paste: action('mybott'),
  view: action('mybotv', BOT),
  name: action('mybotn', BOT),
  welcome: action('mybotw', BOT),
  support: action('mybots', BOT),
  picture: action('mybotp', BOT),
  languages: action('mybotl', BOT),
  language: action('mybotl!', { ...BOT, language: oneOf(LANGUAGES) }),
  pause: action('mybotz', BOT),
  resume: action('mybotr', BOT),
  askRemove: action('mybotx', BOT),
  remove: action('mybotx!', BOT),
  /** In the chat of a customer: the way to the bot of its agent. */
  enter: action('mybote'),
}

/** Buttons about the bots of all agents, in the operator's chats. */
export const AGENT_BOTS = {
  list: action('agb', { page: pageNumber }),
  bot: action('agbv', BOT),
  pause: action('agbp', BOT, 'bot.pause'),
  resume: action('agbr', BOT, 'bot.resume'),
  askRemove: action('agbx', BOT, 'bot.remove'),
  remove: action('agbx!', BOT, 'bot.remove'),
} as const
