import type { Actor } from '../../../core/access/actor.ts'
import { SETTINGS } from '../../actions/settings.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showToMember } from '../../session/show-to-member.ts'
import { viewOf } from '../../session/view-of.ts'
import { formatScreen, noticesScreen, settingsScreen } from './screens.ts'

/** What each chat decides for itself: language, time zone, format of proxy lines, notices; leads to a new password and the log-out, too. */
export function settingsFeature(): Feature {
  const feature = new Feature()

  feature.command('settings', (ctx) => showToMember(ctx, (actor) => settings(ctx, actor)))
  feature.onMember(SETTINGS.home, (ctx, actor) => settings(ctx, actor))
  feature.onMember(SETTINGS.format, async (ctx, actor, { format }) => {
    if (!format) return formatScreen(ctx.texts, ctx.session.proxyFormat)
    await ctx.core.chats.setProxyFormat(ctx.chat.id, format)
    ctx.session = { ...ctx.session, proxyFormat: format }
    return settings(ctx, actor)
  })
  feature.onMember(SETTINGS.notices, async (ctx, actor, { what, off }) => {
    if (what) await ctx.core.chats.setMuted(ctx.chat.id, what, off)
    return noticesScreen(ctx.texts, actor, await ctx.core.chats.muted(ctx.chat.id))
  })
  return feature
}

async function settings(ctx: BotContext, actor: Actor): Promise<Screen> {
  const { chatId, proxyFormat } = ctx.session
  return settingsScreen(viewOf(ctx), actor, {
    hasPassword: await ctx.core.accounts.hasPassword(actor),
    proxyFormat,
    muted: await ctx.core.chats.muted(chatId),
  })
}
