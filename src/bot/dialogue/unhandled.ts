import { Composer } from 'grammy'
import type { BotContext } from '../session/context.ts'
import { closeButton } from '../kit/buttons.ts'
import { keyboard } from '../kit/screen.ts'
import { showHome } from '../session/show-home.ts'
import { isAnswerButton } from './prompt.ts'

/** Answers everything that no other handler took, and leads back to the home screen. */
export function unhandled(): Composer<BotContext> {
  const composer = new Composer<BotContext>()

  // The dialogue is over, and the screen is newer than the button: it stays.
  composer
    .filter(({ callbackQuery }) => isAnswerButton(callbackQuery?.data))
    .use((ctx) => ctx.notify(ctx.texts.input.answered))
  composer.on('callback_query', async (ctx) => {
    await ctx.notify(ctx.texts.stale)
    await showHome(ctx)
  })
  composer.on('message', async (ctx) => {
    const { texts, session } = ctx
    const command = ctx.message.text?.startsWith('/') === true
    if (command || !session.actor || session.screenMessage === null)
      return showHome(ctx, command ? texts.unknownCommand : texts.useButtons)
    // What is on the phone stays: somebody may be in the middle of something.
    return ctx.reply(ctx.message.text === undefined ? texts.onlyText : texts.nothingFound, {
      reply_markup: { inline_keyboard: keyboard([[closeButton(texts)]]) },
    })
  })
  return composer
}
