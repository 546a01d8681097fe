import type { BotSettings } from '../config.ts'
import type { Core } from '../core/core.ts'
import type { BotLink } from '../operator/action.ts'
import { linkToBot } from '../operator/bot-link.ts'

/** Timeout of the request for the name of the bot. */
const LIMIT_MS = 5_000

/**
 * Returns the link that opens the bot with a parameter: that of the person's agent, else the shop's, which is the one that ran here last, or the one of BOT_TOKEN. Where that has not run yet,
 * Telegram is asked for its name.
 *
 * @param bot undefined where there is no BOT_TOKEN, as in the sandbox
 */
export async function botLink(core: Core, bot: BotSettings | undefined, start: string): Promise<BotLink> {
  const ofAgent = await core.bots.ofLink(start)
  if (ofAgent !== undefined) return linkToBot(ofAgent, start)
  const kept = await core.database.bot()
  const isKept = kept && (!bot || bot.token.startsWith(`${kept.id}:`))
  const username = isKept ? kept.username : bot && (await askedFor(bot))
  return linkToBot(username, start)
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
