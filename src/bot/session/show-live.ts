import type { BotContext } from './context.ts'
import { permitted } from './permitted.ts'
import { begunBy, memoryOf } from './screen-memory.ts'
import { remove, show } from './show.ts'

/**
 * Shows screens in this chat so that there is one live screen: a button of it edits it in place; after a message, or from a
 * notice, a new one is sent below and the old one is removed.
 */
export function showLive(ctx: BotContext, chatId: number): BotContext['show'] {
  return async (screen) => {
    const { screenMessage } = ctx.session
    const { follows } = memoryOf(screen)
    ctx.shown = true
    ctx.begins = begunBy(screen)
    const pressed = ctx.callbackQuery?.message?.message_id
    const live = pressed === screenMessage || ctx.inPlace ? screenMessage : null
    const shown = await show(ctx.api, chatId, permitted(ctx.operator, screen), live, ctx.session.actor?.id)
    if (shown === screenMessage && follows === ctx.session.follows) return shown
    if (screenMessage !== null && shown !== screenMessage) await remove(ctx.api, chatId, screenMessage)
    await ctx.core.chats.setScreen(chatId, shown, { follows })
    ctx.session = { ...ctx.session, screenMessage: shown, follows }
    return shown
  }
}
