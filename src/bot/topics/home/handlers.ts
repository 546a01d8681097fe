import { Composer } from 'grammy'
import { unpack } from '../../kit/callback-data.ts'
import type { BotContext } from '../../session/context.ts'
import { LOCALES } from '../../texts/index.ts'
import { onAction } from '../../session/on-action.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { logOutScreen } from '../log-in/screens.ts'
import { balanceScreen, helpScreen } from './screens.ts'
import { languageScreen } from '../settings/screens.ts'
import { ACTION } from '../../kit/buttons.ts'
import { showHome } from '../../session/show-home.ts'

/** Start, menu, balance, language, help and log-out. */
export function generalFeature(): Composer<BotContext> {
  const feature = new Composer<BotContext>()

  feature.command(['start', 'menu', 'cancel'], (ctx) => showHome(ctx))
  onAction(feature, ACTION.home, (ctx) => showHome(ctx))

  feature.command('help', (ctx) => ctx.show(helpScreen(ctx.texts)))
  onAction(feature, ACTION.help, (ctx) => ctx.show(helpScreen(ctx.texts)))

  const showLanguages = (ctx: BotContext) =>
    ctx.show(languageScreen(ctx.texts, ctx.session.language, ctx.session.actor !== undefined))
  feature.command('language', showLanguages)
  onAction(feature, ACTION.language, async (ctx) => {
    const [, language] = unpack(ctx.callbackQuery.data)
    if (language !== 'en' && language !== 'zh') return showLanguages(ctx)
    await ctx.core.chats.setLanguage(ctx.chat.id, language)
    ctx.session = { ...ctx.session, language }
    ctx.texts = LOCALES[language]
    return showHome(ctx)
  })

  const showBalance = (ctx: BotContext) =>
    showToMember(ctx, async (actor) => balanceScreen(ctx.texts, await ctx.core.accounts.balance(actor)))
  feature.command('balance', showBalance)
  onAction(feature, ACTION.balance, showBalance)

  const askLogOut = (ctx: BotContext) =>
    ctx.session.actor ? ctx.show(logOutScreen(ctx.texts, ctx.session.actor.username)) : showHome(ctx)
  feature.command('logout', askLogOut)
  onAction(feature, ACTION.logOut, askLogOut)
  onAction(feature, ACTION.logOutConfirmed, async (ctx) => {
    await ctx.core.chats.logOut(ctx.chat.id)
    ctx.session = { ...ctx.session, actor: undefined, ended: undefined }
    await ctx.notify(ctx.texts.logOut.done)
    await showHome(ctx)
  })

  return feature
}
