import { joinTokenIn } from '../../../core/accounts/join-links.ts'
import { localeOf } from '../../../core/chat-locale.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { errorText } from '../../kit/errors.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { JOIN, type JoinStart, usernamePrompt } from './join-dialogue.ts'
import { otherAccountScreen } from './screens.ts'

/** Whoever opens an agent's registration link chooses username and password, and becomes its sub-user. */
export function joinFeature(): Feature {
  const feature = new Feature()
  feature.command('start', async (ctx, next) => {
    const token = joinTokenIn(ctx.match)
    return token === undefined ? next() : register(ctx, token)
  })
  feature.on(ACCESS.register, (ctx, { token = '' }) => register(ctx, token, true))
  return feature
}

/** @param sure the person agrees to register another account here, too */
async function register(ctx: BotContext, token: string, sure = false): Promise<unknown> {
  const { core, session, texts } = ctx
  const offer = await core.accounts.joinOffer(session.chatId, token)
  if (!offer) return showHome(ctx, errorText(texts, 'join_link_not_found'))
  if (session.actor && !sure)
    return ctx.show(otherAccountScreen(texts, session.actor.username, offer.agent, token))
  const screen = await ctx.show(usernamePrompt(texts, offer, core.currency))
  const start: JoinStart = { ...localeOf(session), screen, token, offer, currency: core.currency }
  ctx.begins = { name: JOIN, start: [start] }
  return undefined
}
