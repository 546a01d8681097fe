import { localeOf } from '../../../core/chat-locale.ts'
import { ACCESS } from '../../actions/log-in.ts'
import type { DialogueStart } from '../../dialogue/dialogue.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature, isPrivate } from '../../session/feature.ts'
import { LOG_IN } from './dialogue.ts'

/** Opens the log-in dialogue. */
export function logInFeature(): Feature {
  const feature = new Feature(isPrivate, { ofAccount: false })

  const start = async (ctx: BotContext) => {
    const { username, another } = ctx.texts.logIn
    const { actor } = ctx.session
    const screen = await ctx.show(promptScreen(ctx.texts, actor ? another(actor.username) : username))
    ctx.begins = {
      name: LOG_IN,
      start: [{ ...localeOf(ctx.session), screen, account: actor?.id } satisfies DialogueStart],
    }
  }
  feature.command('login', start)
  feature.on(ACCESS.logIn, start)

  return feature
}
