import type { BotLink } from './action.ts'

/**
 * Returns the link that opens the bot with a parameter of `/start`.
 *
 * @param username of the bot; undefined where it is not known
 */
export function linkToBot(username: string | undefined, start: string): BotLink {
  if (username === undefined)
    return { link: undefined, text: `Telegram does not say the name of the bot; send it: /start ${start}` }
  const link = `https://t.me/${username}?start=${start}`
  return { link, text: link }
}
