import { ACCESS } from '../../actions/log-in.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { logOutScreen } from './screens.ts'

/** Logs out the acting account, or all accounts of the chat, after a confirmation. */
export function logOutFeature(): Feature {
  const feature = new Feature()
  const askLogOut = async (ctx: BotContext) => {
    const { actor, chatId } = ctx.session
    if (!actor) return showHome(ctx)
    const { length } = await ctx.core.chats.accounts(chatId)
    return ctx.show(logOutScreen(ctx.texts, actor.username, length))
  }
  feature.command('logout', askLogOut)
  feature.on(ACCESS.logOut, askLogOut)
  feature.on(ACCESS.logOutConfirmed, async (ctx) => {
    const actor = await ctx.core.chats.logOut(ctx.chat.id)
    ctx.session = { ...ctx.session, actor, ended: undefined }
    await ctx.notify(actor ? ctx.texts.accounts.now(actor.username) : ctx.texts.logOut.done)
    await showHome(ctx)
  })
  feature.on(ACCESS.logOutOfAll, async (ctx) => {
    await ctx.core.chats.logOutOfAll(ctx.chat.id)
    ctx.session = { ...ctx.session, actor: undefined, ended: undefined }
    await ctx.notify(ctx.texts.logOut.done)
    await showHome(ctx)
  })
  return feature
}
