import type { Context, NextFunction } from 'grammy'
import type { Message } from 'grammy/types'
import type { Actor } from '../../core/access/actor.ts'
import { actionOf } from '../kit/action.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext, BotConversation } from '../session/context.ts'
import { isCommand } from '../session/is-command.ts'
import { isOperatorChat } from '../session/operator-chat.ts'
import { showToMember } from '../session/show-to-member.ts'
import { remove } from '../session/show.ts'
import { type AnyQuestion, ask, askStep, outcomeOf, withProblem, wording } from './ask.ts'
import { sentFile } from '../kit/sent-file.ts'

/**
 * The conversation behind a screen that {@link Screen.takes} what is typed, such as that of a purchase: presses of its own buttons
 * and typed lines are both its turns. A turn ends the run; the screen that it shows begins the next one, with what that screen
 * knows. So a replay is never longer than one turn (decision 10). What it does not take goes to the other handlers, and a screen
 * that one of them shows ends it.
 *
 * @param press carries out a pressed button
 * @param byName the questions that may come next
 */
export function ledConversation(
  question: AnyQuestion,
  press: (ctx: BotContext) => Promise<unknown>,
  byName: ReadonlyMap<string, AnyQuestion>,
) {
  const own = new Set(question.presses?.map(({ name }) => name))
  return async (
    conversation: BotConversation,
    _first: Context,
    state: unknown,
    problem?: string,
  ): Promise<void> => {
    const { message, callbackQuery } = await conversation.wait()
    const isOwn = callbackQuery?.data !== undefined && own.has(actionOf(callbackQuery.data))
    if (!isOwn && !(message && isAnswer(question, message))) await conversation.skip({ next: true })
    await conversation.external(async (outer) => {
      outer.answered = true
      // A turn that shows nothing new leaves the screen as it is, and its conversation begins again.
      outer.begins = { name: question.name, start: [state] }
      await (isOwn ? press(outer) : typed(outer, question, state, problem, byName))
    })
    await conversation.halt({ next: true })
  }
}

/**
 * Runs after all conversations. Calls the other handlers, unless a conversation took the update; then begins the conversation of the
 * screen that was shown. Any screen ends the conversation of the one before.
 */
export async function beginShown(ctx: BotContext, next: NextFunction): Promise<void> {
  if (!ctx.answered) await next()
  if (!ctx.begins && !ctx.shown) return
  await ctx.conversation.exitAll()
  if (ctx.begins) await ctx.conversation.enter(ctx.begins.name, ...ctx.begins.start)
}

/**
 * Whether a message is meant as an answer; never in a group, where people also talk with each other. A file of somebody who runs the shop
 * may be a list for the stock.
 */
function isAnswer({ forOperator, takesMedia }: AnyQuestion, { chat, text, document }: Message): boolean {
  if (chat.type !== 'private' || (forOperator && !takesMedia && document)) return false
  return text === undefined || !isCommand(text)
}

async function typed(
  ctx: BotContext,
  question: AnyQuestion,
  state: unknown,
  before: string | undefined,
  byName: ReadonlyMap<string, AnyQuestion>,
): Promise<unknown> {
  const { message, chatId = 0 } = ctx
  if (message) await remove(ctx.api, chatId, message.message_id)
  ctx.inPlace = true
  const sent = question.takesMedia && message ? sentFile(message, ctx.me.id) : undefined
  const text = (sent ? message?.caption : message?.text)?.trim() ?? ''
  const { input, textOnly } = ctx.texts
  let begins: BotContext['begins']
  const answer = async (actor?: Actor): Promise<Screen | undefined> => {
    const outcome =
      text === '' && !sent
        ? { problem: question.takesMedia ? input.textOrMedia : textOnly }
        : await outcomeOf(ctx, actor, question, state, { text, ...(sent && { sent }) })
    if ('screen' in outcome) return outcome.screen
    if ('question' in outcome) {
      await askStep(ctx, outcome, byName)
      return undefined
    }
    const prompt = await question.prompt(ctx, actor, state)
    if (prompt.takes?.question !== question.name) {
      await ask(ctx, question as never, state, outcome.problem)
      return undefined
    }
    const problem = wording(ctx.texts, outcome.problem, before)
    begins = { name: question.name, start: [prompt.takes.state, problem] }
    return withProblem(prompt, problem) as Screen
  }
  if (question.forOperator) {
    const screen = isOperatorChat(ctx) ? await answer() : await ctx.homeScreen()
    if (screen) await ctx.show(screen)
  } else await showToMember(ctx, answer)
  if (begins && ctx.begins) ctx.begins = begins
  return undefined
}
