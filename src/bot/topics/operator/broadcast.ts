import { type Audience, AUDIENCES } from '../../../core/broadcasts/audience.ts'
import type { Language } from '../../../core/languages.ts'
import { OPERATOR } from '../../actions/operator.ts'
import { ask, nextQuestion, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import { contentOf } from '../../kit/content.ts'
import { errorText } from '../../kit/errors.ts'
import { momentOf, nextMorning } from '../../kit/moment.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { allows, askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { showHome } from '../../session/show-home.ts'
import {
  audiencesScreen,
  broadcastDraftScreen,
  broadcastScreen,
  broadcastsScreen,
  typeBroadcastScreen,
  typeTimeScreen,
  whichAgentScreen,
} from './broadcast-screens.ts'
import { operatorScreenFor } from './menu-screen.ts'
import type { Target } from '../../../core/notices/content.ts'

const HOUR_MS = 60 * 60_000

/** Lets the operator write to many chats: audience → message → preview → now or later → progress. */
export function broadcastFeature(): Feature {
  const feature = new Feature(isOperatorChat)

  feature.command('broadcast', async (ctx) =>
    allows(ctx, 'broadcast.draft')
      ? ctx.show(await audiences(ctx))
      : showHome(ctx, errorText(ctx.texts, 'not_permitted')),
  )
  feature.on(OPERATOR.broadcast, async (ctx, { language }) => ctx.show(await audiences(ctx, language)))
  feature.on(OPERATOR.broadcasts, async (ctx) =>
    ctx.show(broadcastsScreen(ctx.texts, await ctx.core.operator.broadcasts.list())),
  )
  feature.on(OPERATOR.typeBroadcast, async (ctx, { audience, language = null }) => {
    if (audience === 'sub_users') return ask(ctx, whichAgent, { language })
    const target = audience && { audience, language, agentId: null }
    if (target && (await count(ctx, target)) > 0) return ask(ctx, broadcastMessage, target)
    if (target) await ctx.notify(ctx.texts.operator.broadcast.nobody)
    return ctx.show(await audiences(ctx, language ?? undefined))
  })
  feature.on(OPERATOR.startBroadcast, async (ctx, { id = 0 }) => {
    await ctx.core.operator.broadcasts.start(by(ctx), { id })
    return ctx.show(await progress(ctx, id))
  })
  feature.on(OPERATOR.scheduleBroadcast, async (ctx, { id = 0, when }) => {
    const now = ctx.core.now()
    const at = when === 'morning' ? nextMorning(now, ctx.texts.zone) : new Date(now.getTime() + HOUR_MS)
    await ctx.core.operator.broadcasts.start(by(ctx), { id, at: at.toISOString() })
    return ctx.show(await progress(ctx, id))
  })
  feature.on(OPERATOR.timeOfBroadcast, (ctx, { id = 0 }) => ask(ctx, timeOfBroadcast, { id }))
  feature.on(OPERATOR.progress, async (ctx, { id = 0 }) => ctx.show(await progress(ctx, id)))
  feature.on(OPERATOR.stopBroadcast, async (ctx, { id = 0 }) => {
    await ctx.core.operator.broadcasts.cancel(by(ctx), id)
    return ctx.show(await progress(ctx, id))
  })
  return feature
}

/** The addressees of a broadcast of the shop. */
type Addressed = Omit<Target, 'userIds' | 'audience'> & { readonly audience: (typeof AUDIENCES)[number] }

function count({ core }: BotContext, target: Addressed): Promise<number> {
  return core.operator.broadcasts.count({ ...target, userIds: null })
}

async function audiences(ctx: BotContext, language?: Language): Promise<Screen> {
  const chats: Partial<Record<Audience, number>> = {}
  for (const audience of AUDIENCES)
    chats[audience] = await count(ctx, { audience, agentId: null, language: language ?? null })
  return audiencesScreen(ctx.texts, chats, language)
}

async function progress(ctx: BotContext, id: number): Promise<Screen> {
  const { broadcasts } = ctx.core.operator
  const broadcast = await broadcasts.read(id)
  if (!broadcast || broadcast.senderId !== null) return operatorScreenFor(ctx)
  return broadcast.status === 'draft'
    ? broadcastDraftScreen(ctx.texts, broadcast, await broadcasts.count(broadcast))
    : broadcastScreen(ctx.texts, broadcast, ctx.core.now())
}

/** The agent whose sub-users get the broadcast. */
const whichAgent: OperatorQuestion<Pick<Addressed, 'language'>> = {
  name: 'broadcast.agent',
  forOperator: true,
  prompt: (ctx) => askedIn(ctx, whichAgentScreen(ctx.texts)),
  answer: async (ctx, _actor, { language }, text) => {
    const { nobody } = ctx.texts.operator.broadcast
    const { id: agentId } = await ctx.core.operator.broadcasts.agent(text)
    const target: Addressed = { audience: 'sub_users', language, agentId }
    return (await count(ctx, target)) > 0 ? nextQuestion(broadcastMessage, target) : { problem: nobody }
  },
}

/** The message; it is then shown above its draft as everybody will see it. */
const broadcastMessage: OperatorQuestion<Addressed> = {
  name: 'broadcast.message',
  forOperator: true,
  takesMedia: true,
  prompt: (ctx) => askedIn(ctx, typeBroadcastScreen(ctx.texts)),
  answer: async (ctx, _actor, target): Promise<Outcome> => {
    const { texts, core, session } = ctx
    const content = contentOf(texts, ctx.message)
    if ('problem' in content) return content
    const { id } = await core.operator.broadcasts.draft(by(ctx), {
      chatId: session.chatId,
      ...target,
      ...content,
    })
    return { screen: await progress(ctx, id), attachment: { content, lost: texts.input.noPreview } }
  },
}

/** The time at which a broadcast is sent. */
const timeOfBroadcast: OperatorQuestion<{ id: number }> = {
  name: 'broadcast.time',
  forOperator: true,
  prompt: (ctx, _actor, { id }) => askedIn(ctx, typeTimeScreen(ctx.texts, id, ctx.core.now())),
  answer: async (ctx, _actor, { id }, text) => {
    const at = momentOf(text, ctx.core.now(), ctx.texts.zone)
    if (!at) return { problem: ctx.texts.operator.broadcast.noTime }
    await ctx.core.operator.broadcasts.start(by(ctx), { id, at: at.toISOString() })
    return { screen: await progress(ctx, id) }
  },
}

export const broadcastQuestions = [whichAgent, broadcastMessage, timeOfBroadcast]
