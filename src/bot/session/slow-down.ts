import type { Api, Middleware } from 'grammy'
import type { Update } from 'grammy/types'
import { messageScreen } from '../kit/simple-screens.ts'
import { html } from '../texts/html.ts'
import { languageOf, LOCALES } from '../texts/index.ts'
import type { FloodLimit } from '../transport/flood-limit.ts'
import type { BotContext } from './context.ts'

/** The first update beyond the limit of its chat is answered with a request to slow down. */
export function slowDown(flood: FloodLimit): Middleware<BotContext> {
  return async (ctx, next) => {
    if (!flood.isExcess(ctx.update)) return next()
    if (ctx.callbackQuery) return ctx.notify(ctx.texts.trouble.slowDown, true)
    await ctx.show(messageScreen(ctx.texts, html`⏳ ${ctx.texts.trouble.slowDown}`))
  }
}

/** Further updates beyond the limit are dropped; a press is answered, so that the button stops spinning and the person knows why. */
export async function turnAway(api: Api, { callback_query: press }: Update): Promise<void> {
  if (!press) return
  const text = LOCALES[languageOf(press.from.language_code)].trouble.slowDown
  // The caller does not await this: a rejection would end the process.
  await api.answerCallbackQuery(press.id, { text }).catch(() => {})
}
