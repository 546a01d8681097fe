import { ACCOUNTS, DEVICES } from '../../actions/accounts.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature, isPrivate } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { accountsScreen, devicesScreen, otherAccountsButtonScreen, otherDevicesScreen } from './screens.ts'
import { switchTo } from './other-account.ts'

/** Lists the accounts that are logged in at this chat, and switches between them (rules 2.25). */
export function accountsFeature(): Feature {
  // Its buttons work whichever account acts: those that mean one carry its id.
  const feature = new Feature(isPrivate, { ofAccount: false })
  const show = async (ctx: BotContext) => {
    const accounts = await ctx.core.chats.accounts(ctx.session.chatId)
    return accounts.length > 0 ? ctx.show(accountsScreen(ctx.texts, accounts)) : showHome(ctx)
  }
  feature.command('accounts', show)
  feature.on(ACCOUNTS.list, show)
  feature.on(ACCOUNTS.switch, async (ctx, { account = 0 }) => {
    const refusal = await switchTo(ctx, account)
    if (refusal === undefined) await ctx.notify(ctx.texts.accounts.now(ctx.session.actor?.username ?? ''))
    return showHome(ctx, refusal)
  })
  feature.on(ACCOUNTS.ask, async (ctx, { account }) => {
    const accounts = await ctx.core.chats.accounts(ctx.session.chatId)
    const other = accounts.find(({ id }) => id === account)
    return other
      ? ctx.show(otherAccountsButtonScreen(ctx.texts, other))
      : showHome(ctx, ctx.texts.accounts.notLoggedIn)
  })
  return feature
}

/** Lists the chats in which the account is logged in, and logs them out (rules 2.26). */
export function devicesFeature(): Feature {
  const feature = new Feature()
  feature.onMember(DEVICES.list, async ({ core, texts, session }, actor) =>
    devicesScreen(texts, await core.accounts.devices(actor), session.chatId),
  )
  feature.onMember(DEVICES.logOut, async ({ core, texts, session }, actor, { chat }) => {
    if (chat !== undefined && chat !== session.chatId) await core.accounts.endDevice(actor, chat)
    return devicesScreen(texts, await core.accounts.devices(actor), session.chatId)
  })
  feature.onMember(DEVICES.others, async ({ texts }, actor) => otherDevicesScreen(texts, actor.username))
  feature.onMember(DEVICES.othersConfirmed, async (ctx, actor) => {
    await ctx.core.accounts.endOtherDevices(actor, ctx.session.chatId)
    await ctx.notify(ctx.texts.devices.othersEnded)
    return devicesScreen(ctx.texts, await ctx.core.accounts.devices(actor), ctx.session.chatId)
  })
  return feature
}
