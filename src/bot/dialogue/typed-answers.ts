import { Composer } from 'grammy'
import type { Actor } from '../../core/access.ts'
import type { BotContext } from '../session/context.ts'
import { isOperatorChat } from '../session/operator-chat.ts'
import { takenBy } from '../session/screen-memory.ts'
import { showToMember } from '../session/show-to-member.ts'
import { remove } from '../session/show.ts'
import { ask, type OperatorQuestion, outcomeOf, type Question, questionsByName } from './ask.ts'

/**
 * What is typed at a screen that takes it is an answer to its question, as if that had been asked in writing: who reads “How
 * many?” above buttons types a number.
 */
export function typedAnswers(
  questions: readonly (Question<never> | OperatorQuestion<never>)[],
): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  const byName = questionsByName(questions)
  composer.on('message:text', async (ctx, next) => {
    const taken = takenBy(ctx.session)
    const question = taken && byName.get(taken.question)
    const text = ctx.message.text.trim()
    if (!question || text.startsWith('/')) return next()
    await remove(ctx.api, ctx.chat.id, ctx.message.message_id)
    const answer = async (actor?: Actor) => {
      const outcome = await outcomeOf(ctx, actor, question, taken.state, { text })
      if ('screen' in outcome) return outcome.screen
      if ('problem' in outcome) await ask(ctx, question as Question, taken.state, outcome.problem)
      else await ask(ctx, byName.get(outcome.question) as Question, outcome.state)
      return undefined
    }
    if (!question.forOperator) return showToMember(ctx, answer)
    const screen = isOperatorChat(ctx) ? await answer() : await ctx.homeScreen()
    return screen && ctx.show(screen)
  })
  return composer
}
