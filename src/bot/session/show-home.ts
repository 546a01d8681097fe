import type { BotContext } from './context.ts'

/** Shows the home screen. */
export async function showHome(ctx: BotContext, note?: string): Promise<unknown> {
  return ctx.show(await ctx.homeScreen(note))
}

/** For somebody who wants what needs a log-in. When it has ended by itself, that is said instead. */
export function showLogInFirst(ctx: BotContext): Promise<unknown> {
  return showHome(ctx, ctx.session.ended ? undefined : ctx.texts.logIn.first)
}
