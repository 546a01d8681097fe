import type { BotSettings } from '../config.ts'
import type { Core } from '../core/core.ts'

/** Timeout of the request for the name of the bot. */
const LIMIT_MS = 5_000

/** A link that opens the bot with a parameter of `/start`. */
export interface BotLink {
  /** Undefined where the name of the bot is not known and Telegram does not say it. */
  readonly link: string | undefined
  /** The link, or what to send to the bot instead; text for people, without a full stop. */
  readonly text: string
}

/**
 * Returns the link that opens the bot with a parameter: the bot that ran here last, or the one of BOT_TOKEN. Where that has not run yet,
 * Telegram is asked for its name.
 *
 * @param bot undefined where there is no BOT_TOKEN, as in the sandbox
 */
export async function botLink(core: Core, bot: BotSettings | undefined, start: string): Promise<BotLink> {
  const kept = await core.database.bot()
  const isKept = kept && (!bot || bot.token.startsWith(`${kept.id}:`))
  const username = isKept ? kept.username : bot && (await askedFor(bot))
  if (username === undefined)
    return { link: undefined, text: `Telegram does not say the name of the bot; send it: /start ${start}` }
  const link = `https://t.me/${username}?start=${start}`
  return { link, text: link }
}

/** Errors are not passed on: their texts may hold the address, and with it the token. */
async function askedFor({ token, apiRoot }: BotSettings): Promise<string | undefined> {
  try {
    const answer = await fetch(`${apiRoot}/bot${token}/getMe`, { signal: AbortSignal.timeout(LIMIT_MS) })
    const { result } = (await answer.json()) as { result?: { username?: string } }
    return result?.username
  } catch {
    return undefined
  }
}
