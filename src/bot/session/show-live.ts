import type { BotContext } from './context.ts'
import { permitted } from './permitted.ts'
import { memoryOf } from './screen-memory.ts'
import { remove, show } from './show.ts'

/**
 * Shows screens in this chat so that there is one live screen: a button of it edits it in place; after a message, or from a
 * notice, a new one is sent below and the old one is removed.
 */
export function showLive(ctx: BotContext, chatId: number): BotContext['show'] {
  return async (screen) => {
    const { screenMessage } = ctx.session
    const { follows, takes } = memoryOf(screen)
    const pressed = ctx.callbackQuery?.message?.message_id
    const live = pressed === undefined || pressed === screenMessage ? pressed : undefined
    const shown = await show(ctx.api, chatId, permitted(ctx.operator, screen), live ?? null)
    if (shown === screenMessage && follows === ctx.session.follows && takes === ctx.session.takes)
      return shown
    if (screenMessage !== null && shown !== screenMessage) await remove(ctx.api, chatId, screenMessage)
    await ctx.core.chats.setScreen(chatId, shown, { follows, takes })
    ctx.session = { ...ctx.session, screenMessage: shown, follows, takes }
    return shown
  }
}
