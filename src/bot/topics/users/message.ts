import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import { below } from '../../../core/notices/content.ts'
import { ServiceError } from '../../../core/errors.ts'
import { USERS } from '../../actions/users.ts'
import { ask, type Outcome, type Question } from '../../dialogue/ask.ts'
import { contentOf } from '../../kit/content.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { messageDraftScreen, messageScreen, typeMessageScreen } from './message-screens.ts'
import { pickedIds, pickedScreen } from './picked.ts'

/** An agent writes to its sub-users, to all or to those that are picked: message → preview → progress. */
export function messageUsersFeature(): Feature {
  const feature = new Feature()
  feature.onMember(USERS.message, async (ctx, actor, { picked }) => {
    requireAgent(actor)
    const userIds = picked ? await pickedIds(ctx) : null
    if (userIds?.length === 0) return pickedScreen(ctx, actor)
    if ((await ctx.core.messages.count(actor, userIds)) > 0) await ask(ctx, whatToWrite, { userIds })
    else await ctx.notify(ctx.texts.users.message.nobody, true)
    return undefined
  })
  feature.onMember(USERS.viewMessage, (ctx, actor, { id = 0 }) => progress(ctx, actor, id))
  feature.onMember(USERS.sendMessage, async (ctx, actor, { id = 0 }) => {
    try {
      await ctx.core.messages.start(actor, id)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error
      await ctx.notify(ctx.texts.users.message.wait(Math.ceil((error.retryAfter ?? 0) / 60)), true)
    }
    return progress(ctx, actor, id)
  })
  feature.onMember(USERS.stopMessage, async (ctx, actor, { id = 0 }) => {
    await ctx.core.messages.cancel(actor, id)
    return progress(ctx, actor, id)
  })
  return feature
}

async function progress(ctx: BotContext, actor: Actor, id: number): Promise<Screen> {
  const { messages } = ctx.core
  const message = await messages.read(actor, id)
  return message.status === 'draft'
    ? messageDraftScreen(ctx.texts, message, await messages.count(actor, message.userIds))
    : messageScreen(ctx.texts, message, ctx.core.now())
}

/** The question for the message, which then stands above its draft as everybody will see it. `userIds`: null for all sub-users. */
const whatToWrite: Question<{ readonly userIds: readonly number[] | null }> = {
  name: 'users.message',
  takesMedia: true,
  prompt: async (ctx, actor, { userIds }) =>
    typeMessageScreen(ctx.texts, await ctx.core.messages.count(actor, userIds), userIds !== null),
  answer: async (ctx, actor, { userIds }): Promise<Outcome> => {
    const { texts, core, session } = ctx
    const content = contentOf(texts, ctx.message)
    if ('problem' in content) return content
    const { id } = await core.messages.draft(actor, {
      chatId: session.chatId,
      userIds: userIds && [...userIds],
      ...content,
    })
    const preview = {
      content: below(texts.users.message.from(actor.username), content),
      lost: texts.input.noPreview,
    }
    return { screen: await progress(ctx, actor, id), attachment: preview }
  },
}

export const messageQuestions = [whatToWrite]
