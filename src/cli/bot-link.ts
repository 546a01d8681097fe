import type { BotSettings } from '../config.ts'
import type { Core } from '../core/core.ts'

/** How long Telegram may take to say the name of the bot. */
const LIMIT_MS = 5_000

/** What opens the bot with a parameter of `/start`. */
export interface BotLink {
  /** Undefined where the name of the bot is not known and Telegram does not say it. */
  readonly link: string | undefined
  /** For people, without a full stop. */
  readonly text: string
}

/**
 * The link that opens the bot with a parameter: of the bot that ran here last, or of the one of BOT_TOKEN, for whose name Telegram is
 * asked where it has not run yet.
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
