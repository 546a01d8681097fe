import type { BotContext } from '../context.ts'
import type { Screen } from '../screen.ts'
import { homeScreen, welcomeScreen } from '../screens/general.ts'

/** Shows the screen at which everything begins. */
export async function showHome(ctx: BotContext, note?: string): Promise<unknown> {
  return ctx.show(await homeScreenFor(ctx, note))
}

/**
 * The screen at which everything begins: the main menu, or the invitation to log in.
 *
 * @param note what the person should know first
 */
export async function homeScreenFor({ session, texts, core }: BotContext, note?: string): Promise<Screen> {
  if (session.actor) return homeScreen(texts, await core.accounts.balance(session.actor), note)
  return welcomeScreen(texts, note ?? (session.ended && texts.sessionEnded[session.ended]))
}
