import type { InlineKeyboardButton, MaybeInaccessibleMessage } from 'grammy/types'
import { keyboard, type Screen, shownText } from '../kit/screen.ts'
import { plain } from '../texts/html.ts'
import type { BotContext } from './context.ts'
import { permitted } from './permitted.ts'
import { begunBy, shownAs, staying } from './screen-memory.ts'
import { remove, show } from './show.ts'

/**
 * Shows screens in this chat so that there is one live screen: a button of it edits it in place; after a message, or from a
 * notice, a new one is sent below and the old one is removed. A screen that stays is not live any more once it is shown; when its
 * own message would show the same again, nothing is sent: the button was pressed twice.
 */
export function showLive(ctx: BotContext, chatId: number): BotContext['show'] {
  return async (screen) => {
    const { screenMessage } = ctx.session
    const pressed = ctx.callbackQuery?.message?.message_id
    const told = permitted(ctx, screen)
    ctx.unchanged = !ctx.shown && pressed === screenMessage && looksLike(ctx.callbackQuery?.message, told)
    ctx.shown = true
    ctx.begins = begunBy(screen)
    if (screen.stays && pressed !== undefined && ctx.session.follows === staying(pressed, told))
      return pressed
    const live = pressed === screenMessage || ctx.inPlace ? screenMessage : null
    const shown = await show(ctx.api, chatId, told, live, ctx.session.actor?.id)
    const { screenMessage: next, follows } = shownAs(shown, told)
    if (next === screenMessage && follows === ctx.session.follows) return shown
    if (screenMessage !== null && shown !== screenMessage) await remove(ctx.api, chatId, screenMessage)
    await ctx.core.chats.setScreen(chatId, next, { follows })
    ctx.session = { ...ctx.session, screenMessage: next, follows }
    return shown
  }
}

/** Whether a message shows a screen already, as a person sees it: what its buttons carry may differ. */
function looksLike(message: MaybeInaccessibleMessage | undefined, screen: Screen): boolean {
  if (!message || !('text' in message) || screen.photo !== undefined) return false
  const labels = (rows: InlineKeyboardButton[][] = []) => rows.map((row) => row.map((button) => button.text))
  return (
    message.text === plain(shownText(screen)).trim() &&
    JSON.stringify(labels(message.reply_markup?.inline_keyboard)) ===
      JSON.stringify(labels(keyboard(screen.buttons)))
  )
}
