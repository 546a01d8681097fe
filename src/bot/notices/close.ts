import { Composer } from 'grammy'
import type { BotContext } from '../session/context.ts'
import { CLOSE } from './message.ts'
import { isTelegramError } from '../transport/telegram-error.ts'
import { onAction } from '../session/on-action.ts'

/** The Close button of what was told without being asked for. */
export function noticesFeature(): Composer<BotContext> {
  const feature = new Composer<BotContext>()

  onAction(feature, CLOSE, async (ctx) => {
    try {
      await ctx.deleteMessage()
    } catch (error) {
      if (!isTelegramError(error)) throw error
      // Telegram keeps what is older than 48 hours: then at least the buttons go.
      await ctx.editMessageReplyMarkup().catch((refusal: unknown) => {
        if (!isTelegramError(refusal)) throw refusal
      })
    }
  })
  return feature
}
