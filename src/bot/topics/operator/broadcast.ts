import { type Audience, MAX_BROADCAST } from '../../../core/broadcasts/broadcast.ts'
import { ask, nextQuestion, type OperatorQuestion } from '../../dialogue/ask.ts'
import { errorText } from '../../kit/errors.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { allows, askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { showHome } from '../../session/show-home.ts'
import { OPERATOR } from './actions.ts'
import {
  audiencesScreen,
  broadcastPreview,
  broadcastScreen,
  typeBroadcastScreen,
} from './broadcast-screens.ts'
import { operatorScreenFor } from './menu-screen.ts'

/** The operator writes to many chats: audience → text → preview → progress. */
export function broadcastFeature(): Feature {
  const feature = new Feature(isOperatorChat)

  const showAudiences = async (ctx: BotContext) =>
    ctx.show(audiencesScreen(ctx.texts, await ctx.core.operator.broadcasts.audiences()))
  feature.command('broadcast', (ctx) =>
    allows(ctx, 'broadcast.draft')
      ? showAudiences(ctx)
      : showHome(ctx, errorText(ctx.texts, 'not_permitted')),
  )
  feature.on(OPERATOR.broadcast, showAudiences)
  feature.on(OPERATOR.typeBroadcast, async (ctx, { audience }) => {
    const reached = await ctx.core.operator.broadcasts.audiences()
    if (audience && reached[audience] > 0) return ask(ctx, broadcastText, { audience })
    if (audience) await ctx.notify(ctx.texts.operator.broadcast.nobody)
    return showAudiences(ctx)
  })
  feature.on(OPERATOR.progress, async (ctx, { id = 0 }) => ctx.show(await progress(ctx, id)))
  feature.on(OPERATOR.stopBroadcast, async (ctx, { id = 0 }) => {
    await ctx.core.operator.broadcasts.cancel(by(ctx), id)
    return ctx.show(await progress(ctx, id))
  })
  return feature
}

async function progress(ctx: BotContext, id: number): Promise<Screen> {
  const broadcast = await ctx.core.operator.broadcasts.read(id)
  return broadcast ? broadcastScreen(ctx.texts, broadcast) : operatorScreenFor(ctx)
}

/** The text of the broadcast. */
const broadcastText: OperatorQuestion<{ audience: Audience }> = {
  name: 'broadcast.text',
  forOperator: true,
  prompt: (ctx) => askedIn(ctx, typeBroadcastScreen(ctx.texts)),
  answer: async (ctx, _actor, { audience }, text) => {
    const { texts, core, session } = ctx
    if (text.length > MAX_BROADCAST)
      return { problem: texts.operator.broadcast.tooLong(text.length, MAX_BROADCAST) }
    const { id } = await core.operator.broadcasts.draft(by(ctx), { chatId: session.chatId, audience, text })
    return nextQuestion(confirmBroadcast, { id })
  },
}

/** Confirms the preview: by the button only, and pressing twice sends once. */
const confirmBroadcast: OperatorQuestion<{ id: number }> = {
  name: 'broadcast.confirm',
  forOperator: true,
  prompt: async (ctx, _actor, { id }) => {
    const { broadcasts } = ctx.core.operator
    const draft = await broadcasts.read(id)
    if (!draft) return typeBroadcastScreen(ctx.texts)
    const chats = await broadcasts.audiences()
    return broadcastPreview(ctx.texts, draft.audience, draft.text, chats[draft.audience])
  },
  answer: (ctx) => ({ problem: ctx.texts.useButtons }),
  choose: async (ctx, _actor, { id }) => {
    await ctx.core.operator.broadcasts.start(by(ctx), id)
    return { screen: await progress(ctx, id) }
  },
}

export const broadcastQuestions = [broadcastText, confirmBroadcast]
