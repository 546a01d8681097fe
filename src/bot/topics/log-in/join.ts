import { joinTokenIn } from '../../../core/accounts/join-links.ts'
import { localeOf } from '../../../core/chat-locale.ts'
import { ServiceError } from '../../../core/errors.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { errorText, refusalText } from '../../kit/errors.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature, isPrivate } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { isFinal, JOIN, type JoinStart, register, usernamePrompt } from './join-dialogue.ts'
import { otherAccountScreen } from './screens.ts'
import { suggested, windowScreenFor } from './window.ts'

/** Whoever opens an agent's registration link sees what it offers, and becomes its sub-user by a press (rules 2.21). */
export function joinFeature(): Feature {
  const feature = new Feature()
  feature.command('start', async (ctx, next) => {
    const token = joinTokenIn(ctx.match)
    return token === undefined ? next() : open(ctx, token)
  })
  feature.on(ACCESS.register, (ctx, { token = '' }) => open(ctx, token, true))
  feature.on(ACCESS.registerNow, (ctx, { token = '' }) => registerNow(ctx, token))
  feature.on(ACCESS.otherName, async (ctx, { token = '' }) => {
    const screen = await ctx.show(usernamePrompt(ctx.texts, token))
    const start: JoinStart = { ...localeOf(ctx.session), screen, account: ctx.session.actor?.id, token }
    ctx.begins = { name: JOIN, start: [start] }
  })
  return feature
}

/** @param sure the person agrees to register another account here, too */
async function open(ctx: BotContext, token: string, sure = false): Promise<unknown> {
  const { core, session, texts } = ctx
  const offer = await core.accounts.joinOffer(session.chatId, token)
  if (!offer) return showHome(ctx, errorText(texts, 'join_link_not_found'))
  if (session.actor && !sure)
    return ctx.show(otherAccountScreen(texts, session.actor.username, offer.agent, token))
  return ctx.show(await windowScreenFor(ctx, { token }))
}

async function registerNow(ctx: BotContext, token: string): Promise<unknown> {
  const offered = await suggested.read(ctx)
  // The first of two presses has registered already, or the window was another one.
  if (offered?.token !== token) return ctx.session.actor ? showHome(ctx) : open(ctx, token)
  await suggested.write(ctx, null)
  const { username } = offered
  const refused = await register(ctx, { token, username })
  if (refused === undefined) {
    await showHome(ctx)
    return ctx.notify(ctx.texts.window.registered(username))
  }
  const note = refusalText(ctx.texts, refused, ctx.core.currency)
  return isFinal(refused) ? showHome(ctx, note) : ctx.show(await windowScreenFor(ctx, { token, note }))
}

/** Logs in by a press where the account was registered without a password (rules 2.21). */
export function logInToFeature(): Feature {
  const feature = new Feature(isPrivate, { ofAccount: false })
  feature.on(ACCESS.logInTo, async (ctx, { account = 0 }) => {
    const { core, session } = ctx
    try {
      const actor = await core.chats.logInRegistered(session.chatId, account)
      ctx.session = { ...session, actor, ended: undefined }
      return await showHome(ctx)
    } catch (error) {
      if (error instanceof ServiceError) return showHome(ctx, errorText(ctx.texts, error.code))
      throw error
    }
  })
  return feature
}
