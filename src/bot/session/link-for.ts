import { startLink } from '../kit/invite-link.ts'
import type { BotContext } from './context.ts'

/**
 * Returns the link that is handed to a person: it opens the bot of the person's agent, or the shop's (rules 20.5).
 *
 * @param start the parameter of `/start`
 */
export async function linkFor({ core, me }: Pick<BotContext, 'core' | 'me'>, start: string): Promise<string> {
  return startLink((await core.bots.ofLink(start)) ?? me.username, start)
}
