import { anywhere, Feature } from '../session/feature.ts'
import { isTelegramError } from '../transport/telegram-error.ts'
import { CLOSE } from './message.ts'

/** The Close button of what was told without being asked for. */
export function closeFeature(): Feature {
  const feature = new Feature(anywhere)

  feature.on(CLOSE, async (ctx) => {
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
