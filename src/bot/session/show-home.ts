import type { BotContext } from './context.ts'

/** Shows the home screen. */
export async function showHome(ctx: BotContext, note?: string): Promise<unknown> {
  return ctx.show(await ctx.homeScreen(note))
}

/** Shows the home screen with a request to log in first, or with the reason why the log-in has ended by itself. */
export function showLogInFirst(ctx: BotContext): Promise<unknown> {
  return showHome(ctx, ctx.session.ended ? undefined : ctx.texts.logIn.first)
}
