import { anywhere, type ButtonContext, Feature } from '../session/feature.ts'
import { isTelegramError } from '../transport/telegram-error.ts'
import { CLOSE, KEEP } from '../kit/buttons.ts'

/** The buttons that end what was told without being asked for: one takes it away, the other leaves what is not to be lost. */
export function closeFeature(): Feature {
  const feature = new Feature(anywhere)

  feature.on(CLOSE, async (ctx) => {
    try {
      await ctx.deleteMessage()
    } catch (error) {
      if (!isTelegramError(error)) throw error
      // Telegram keeps what is older than 48 hours: then at least the buttons go.
      await withoutButtons(ctx)
    }
  })
  feature.on(KEEP, (ctx) => withoutButtons(ctx))
  return feature
}

async function withoutButtons(ctx: ButtonContext): Promise<void> {
  await ctx.editMessageReplyMarkup().catch((refusal: unknown) => {
    if (!isTelegramError(refusal)) throw refusal
  })
}
