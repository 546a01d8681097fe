import { localeOf } from '../../../core/chats/chat-locale.ts'
import type { DialogueStart } from '../../dialogue/dialogue.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { ACCESS } from './actions.ts'
import { LOG_IN } from './dialogue.ts'

/** Opens the log-in dialogue. */
export function logInFeature(): Feature {
  const feature = new Feature()

  const start = async (ctx: BotContext) => {
    const { actor } = ctx.session
    // Somebody who overlooks that would type a password into the open chat.
    if (actor) return showHome(ctx, ctx.callbackQuery ? undefined : ctx.texts.logIn.already(actor.username))
    const screen = await ctx.show(promptScreen(ctx.texts, ctx.texts.logIn.username))
    ctx.begins = { name: LOG_IN, start: [{ ...localeOf(ctx.session), screen } satisfies DialogueStart] }
  }
  feature.command('login', start)
  feature.on(ACCESS.logIn, start)

  return feature
}
