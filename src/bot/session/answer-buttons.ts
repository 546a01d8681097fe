import type { NextFunction } from 'grammy'
import { isTelegramError } from '../transport/telegram-error.ts'
import type { BotContext } from './context.ts'

/** Longest answer to a pressed button, in characters (Bot API). */
const MAX_ANSWER = 200

/**
 * Answers every press, so that the button stops spinning, and says so where the press has changed nothing. An answer that fails
 * (the press was too long ago, the network broke) is ignored: what the press has done counts.
 */
export async function answerButtons(ctx: BotContext, next: NextFunction): Promise<void> {
  let answered = false
  const answer = async (text?: string, alert = false) => {
    if (answered || !ctx.callbackQuery) return
    answered = true
    const content = text === undefined ? {} : { text: text.slice(0, MAX_ANSWER), show_alert: alert }
    await ctx.answerCallbackQuery(content).catch((error: unknown) => {
      if (!isTelegramError(error)) throw error
    })
  }
  ctx.notify = answer
  try {
    await next()
  } finally {
    await answer(ctx.unchanged ? ctx.texts.nothingNew : undefined)
  }
}
