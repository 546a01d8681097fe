import { anywhere, type ButtonContext, Feature } from '../session/feature.ts'
import { isTelegramError } from '../transport/telegram-error.ts'
import { CLOSE, KEEP } from '../kit/buttons.ts'
import { showHome } from '../session/show-home.ts'

/** Buttons of messages that nobody asked for: one deletes the message, the other leaves its text where that is not to be lost. */
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
  feature.on(KEEP, async (ctx) => {
    await withoutButtons(ctx)
    // On a screen that stays, they may have been the only buttons of the chat (rules 17.8).
    if (ctx.session.screenMessage === null) await showHome(ctx)
  })
  return feature
}

async function withoutButtons(ctx: ButtonContext): Promise<void> {
  await ctx.editMessageReplyMarkup().catch((refusal: unknown) => {
    if (!isTelegramError(refusal)) throw refusal
  })
}
