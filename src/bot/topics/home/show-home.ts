import type { BotContext } from '../../session/context.ts'
import { operatorScreenFor } from '../operator/handlers.ts'
import { isOperatorChat } from '../../session/operator-chat.ts'
import type { Screen } from '../../kit/screen.ts'
import { welcomeScreen } from '../../kit/general.ts'
import { homeScreen } from './screens.ts'
import { operatorButton } from '../operator/screens.ts'

/** Shows the screen at which everything begins. */
export async function showHome(ctx: BotContext, note?: string): Promise<unknown> {
  return ctx.show(await homeScreenFor(ctx, note))
}

/** For somebody who wants what needs a log-in. When it has ended by itself, that is said instead. */
export function showLogInFirst(ctx: BotContext): Promise<unknown> {
  return showHome(ctx, ctx.session.ended ? undefined : ctx.texts.logIn.first)
}

/**
 * The screen at which everything begins: the main menu, or the invitation to log in; in a group, the operator's menu.
 *
 * @param note what the person should know first
 */
export async function homeScreenFor(ctx: BotContext, note?: string): Promise<Screen> {
  const { session, texts, core } = ctx
  // Nobody logs in where others see it: a group is the operator's.
  if (ctx.chat?.type !== 'private') return operatorScreenFor(ctx)
  const screen = session.actor
    ? homeScreen(texts, await core.records.summary(session.actor), note)
    : welcomeScreen(texts, note ?? (session.ended && texts.sessionEnded[session.ended]))
  return isOperatorChat(ctx) ? { ...screen, buttons: [...screen.buttons, [operatorButton(texts)]] } : screen
}
