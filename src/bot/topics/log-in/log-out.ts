import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { ACCESS } from './actions.ts'
import { logOutScreen } from './screens.ts'

/** Leaves the account, after a question. */
export function logOutFeature(): Feature {
  const feature = new Feature()
  const askLogOut = (ctx: BotContext) =>
    ctx.session.actor ? ctx.show(logOutScreen(ctx.texts, ctx.session.actor.username)) : showHome(ctx)
  feature.command('logout', askLogOut)
  feature.on(ACCESS.logOut, askLogOut)
  feature.on(ACCESS.logOutConfirmed, async (ctx) => {
    await ctx.core.chats.logOut(ctx.chat.id)
    ctx.session = { ...ctx.session, actor: undefined, ended: undefined }
    await ctx.notify(ctx.texts.logOut.done)
    await showHome(ctx)
  })
  return feature
}
