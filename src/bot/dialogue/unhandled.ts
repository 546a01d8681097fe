import { Composer } from 'grammy'
import type { BotContext } from '../session/context.ts'
import { showHome } from '../session/show-home.ts'
import { isAnswerButton } from './prompt.ts'

/** What nobody else understood: never silence, never a dead end. */
export function unhandled(): Composer<BotContext> {
  const composer = new Composer<BotContext>()

  // The dialogue is over: what is on the phone now is newer than the button.
  composer
    .filter(({ callbackQuery }) => isAnswerButton(callbackQuery?.data))
    .use((ctx) => ctx.notify(ctx.texts.input.answered))
  composer.on('callback_query', async (ctx) => {
    await ctx.notify(ctx.texts.stale)
    await showHome(ctx)
  })
  composer.on('message', async (ctx) => {
    const command = ctx.message.text?.startsWith('/') === true
    await showHome(ctx, command ? ctx.texts.unknownCommand : ctx.texts.useButtons)
  })
  return composer
}
