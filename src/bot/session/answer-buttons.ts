import type { NextFunction } from 'grammy'
import { isTelegramError } from '../transport/telegram-error.ts'
import type { BotContext } from './context.ts'

/** Longest answer to a pressed button (Bot API). */
const MAX_ANSWER = 200

/**
 * The button stops spinning, whatever happens. An answer that does not arrive (the press was too long ago, the network
 * failed) matters less than what the press has done.
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
    await answer()
  }
}
