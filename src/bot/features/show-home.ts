import type { BotContext } from '../context.ts'
import { homeScreen, welcomeScreen } from '../screens/general.ts'

/**
 * The screen at which everything begins: the main menu, or the invitation to log in.
 *
 * @param note what the person should know first
 */
export async function showHome(ctx: BotContext, note?: string): Promise<unknown> {
  const { session, texts, core } = ctx
  if (session.actor) return ctx.show(homeScreen(texts, await core.accounts.balance(session.actor), note))
  return ctx.show(welcomeScreen(texts, note ?? (session.ended && texts.sessionEnded[session.ended])))
}
