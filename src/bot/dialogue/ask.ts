import type { Context } from 'grammy'
import type { Actor } from '../../core/access/actor.ts'
import { localeOf } from '../../core/chat-locale.ts'
import { ServiceError } from '../../core/errors.ts'
import { randomText } from '../../core/ids.ts'
import { refusalText } from '../kit/errors.ts'
import type { Action } from '../kit/action.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext, BotConversation } from '../session/context.ts'
import { isOperatorChat } from '../session/operator-chat.ts'
import { permitted } from '../session/permitted.ts'
import { html, type Html, lines } from '../texts/html.ts'
import { textsOf, type Texts } from '../texts/index.ts'
import { type Answer, type Attachment, Dialogue, type DialogueStart } from './dialogue.ts'
import { downloadText } from './download.ts'
import { asScreen, type Prompt } from './prompt.ts'
import type { SentFile } from '../../core/facts/support-message.ts'

export const ASK = 'ask'
/** A dialogue is replayed from its start with each message, so its length is limited. */
const MAX_ANSWERS = 30

/**
 * Something that has to be typed. The dialogue asks it, and every typed input of the bot is such a question; what can be pressed
 * is a button.
 *
 * @typeParam State what the question must know, and what earlier answers gave; JSON, because it is stored (encrypted)
 * @typeParam Asked who is logged in
 */
export interface Question<State = unknown, Asked = Actor> {
  /** Unique name under which the question is stored. */
  readonly name: string
  /**
   * For a question that screens take, see {@link Screen.takes}: the buttons of these screens. Their presses are turns of the same
   * conversation; see `ledConversation`.
   */
  readonly presses?: readonly Pick<Action, 'name'>[]
  /** A text file is an answer as well: its content is. */
  readonly takesFile?: true
  /** Pictures and files are answers as well, as Telegram keeps them. */
  readonly takesMedia?: true
  /** The chat's screen while it waits for the answer; its buttons answer the question, or lead out of the dialogue. */
  prompt(ctx: BotContext, actor: Asked, state: State): Prompt | Promise<Prompt>
  /**
   * Handles an answer. A refusal of the core (ServiceError) is shown, and the question asked again.
   *
   * @param text trimmed; not empty, unless something was sent; the message it came in is deleted already
   * @param sent what was sent, where the question takes it
   */
  answer(
    ctx: BotContext,
    actor: Asked,
    state: State,
    text: string,
    sent?: SentFile,
  ): Outcome | Promise<Outcome>
  /**
   * The same for a pressed button of the prompt.
   *
   * @param choice may be forged
   */
  choose?(ctx: BotContext, actor: Asked, state: State, choice: string): Outcome | Promise<Outcome>
  /** Shown while a choice is carried out that takes a while. */
  working?(texts: Texts): Html
}

/** A question in a chat of the operator, where nobody need be logged in. */
export interface OperatorQuestion<State = unknown> extends Question<State, undefined> {
  readonly forOperator: true
}

export type AnyQuestion = Question<unknown, Actor | undefined> & { readonly forOperator?: true }

export type Outcome =
  /** The answer is not accepted: the same question again, with the reason. */
  | { readonly problem: string }
  /** The next question. */
  | Step
  /** The dialogue ends with this screen. */
  | { readonly screen: Screen; readonly attachment?: Attachment }

export interface Step {
  readonly question: string
  readonly state: unknown
  /** What of the answer was not accepted, while the rest of it was. */
  readonly problem?: string | undefined
}

interface AskStart extends DialogueStart, Step {
  readonly prompt: Prompt
  /** Tells the buttons of this dialogue from those of others. */
  readonly id: string
}

/**
 * The next question of a dialogue, as the outcome of an answer.
 *
 * @param problem what was wrong with a part of the answer
 */
export function nextQuestion<State>(
  question: Question<State> | OperatorQuestion<State>,
  state: State,
  problem?: string,
): Step {
  return { question: question.name, state, ...(problem !== undefined && { problem }) }
}

/**
 * Begins a dialogue with a question, in the place of the one that the chat may have.
 *
 * @param problem with an answer that was given before it was asked
 */
export async function ask<State>(
  ctx: BotContext,
  question: Question<State> | OperatorQuestion<State>,
  state: State,
  problem?: string,
): Promise<unknown> {
  const { actor } = ctx.session
  const asked = question as AnyQuestion
  if (!mayAnswer(ctx, asked)) return ctx.show(await ctx.homeScreen())
  const asking = permitted(ctx, await asked.prompt(ctx, actor, state))
  const prompt = problem === undefined ? asking : withProblem(asking, problem)
  const id = randomText(4)
  const start: AskStart = {
    ...localeOf(ctx.session),
    screen: await ctx.show(asScreen(prompt, turnOf(id, 0))),
    account: actor?.id,
    prompt,
    id,
    ...nextQuestion(question, state),
  }
  ctx.begins = { name: ASK, start: [start] }
  return undefined
}

/** As {@link ask}, for a question that is known by its name. */
export function askStep(
  ctx: BotContext,
  { question, state, problem }: Step,
  byName: ReadonlyMap<string, AnyQuestion>,
): Promise<unknown> {
  return ask(ctx, byName.get(question) as never, state, problem)
}

/** Finds stored questions by their names. */
export function questionsByName(
  questions: readonly (Question<never> | OperatorQuestion<never>)[],
): ReadonlyMap<string, AnyQuestion> {
  return new Map(questions.map((question) => [question.name, question as AnyQuestion]))
}

/** The dialogue behind {@link ask}. Any command, and any button but those that answer, leaves it. */
export function askDialogue(questions: readonly (Question<never> | OperatorQuestion<never>)[]) {
  const byName = questionsByName(questions)

  /** Runs inside `external`, so that a replay does not repeat it. */
  async function handle(ctx: BotContext, step: Step, answer: Answer) {
    const { actor } = ctx.session
    const question = byName.get(step.question)
    const promptOf = async (asked: AnyQuestion, state: unknown) =>
      permitted(ctx, await asked.prompt(ctx, actor, state))
    if (!question || !mayAnswer(ctx, question)) return { end: await ctx.homeScreen() }
    try {
      const outcome = await outcomeOf(ctx, actor, question, step.state, answer)
      if ('screen' in outcome) return { end: permitted(ctx, outcome.screen), attachment: outcome.attachment }
      if ('question' in outcome) {
        const next = byName.get(outcome.question)
        if (!next) throw new Error(`there is no question ${outcome.question}`)
        return { step: outcome, prompt: await promptOf(next, outcome.state), problem: outcome.problem }
      }
      return { step, prompt: await promptOf(question, step.state), problem: outcome.problem }
    } catch (error) {
      // Not even the question can be asked any more: what it was about is gone.
      if (error instanceof ServiceError)
        return { end: await ctx.homeScreen(refusalText(ctx.texts, error, ctx.core.currency)) }
      throw error
    }
  }

  return async (conversation: BotConversation, ctx: Context, start: AskStart): Promise<void> => {
    const texts = textsOf(start)
    const dialogue = new Dialogue(conversation, ctx, texts, start)
    let step: Step = start
    let { prompt } = start
    let problem: string | undefined
    for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
      const question = byName.get(step.question)
      const turn = turnOf(start.id, answers)
      const answer = await dialogue.answer(asScreen(prompt, turn), {
        turn,
        file: question?.takesFile ?? false,
        media: question?.takesMedia ?? false,
      })
      if ('choice' in answer && question?.working)
        await dialogue.show({ text: question.working(texts), buttons: [] })
      const next = await conversation.external((outer) => handle(outer, step, answer))
      if ('end' in next) return dialogue.end(next.end, next.attachment)
      ;({ step } = next)
      const found = 'problem' in next ? next.problem : undefined
      problem = found === undefined ? undefined : wording(texts, found, problem)
      prompt = problem === undefined ? next.prompt : withProblem(next.prompt, problem)
      await dialogue.show(asScreen(prompt, turnOf(start.id, answers + 1)))
    }
    return dialogue.end(await conversation.external((outer) => outer.homeScreen()))
  }
}

/** Permissions are checked again with each answer. */
function mayAnswer(ctx: BotContext, { forOperator }: AnyQuestion): boolean {
  return forOperator ? isOperatorChat(ctx) : ctx.session.actor !== undefined
}

/** The prompt with a line below that says what was not accepted. */
export function withProblem(prompt: Prompt, problem: string): Prompt {
  return { ...prompt, text: lines(prompt.text, '', html`⚠️ ${problem}`) }
}

/**
 * The words for a problem: other ones than before, so that the same problem again does not look as if nothing had happened.
 *
 * @param before the words after the answer before
 */
export function wording({ input }: Texts, problem: string, before: string | undefined): string {
  return problem === before ? input.again(problem) : problem
}

function turnOf(dialogue: string, answers: number): string {
  return `${dialogue}${answers}`
}

/** Returns the outcome of an answer; a refusal of the core becomes a problem with it. */
export async function outcomeOf(
  ctx: BotContext,
  actor: Actor | undefined,
  question: AnyQuestion,
  state: unknown,
  answer: Answer,
): Promise<Outcome> {
  const { texts } = ctx
  try {
    if ('choice' in answer)
      return (await question.choose?.(ctx, actor, state, answer.choice)) ?? { problem: texts.useButtons }
    if ('text' in answer) return await question.answer(ctx, actor, state, answer.text, answer.sent)
    const file = await downloadText(ctx, answer.file)
    if ('problem' in file) return { problem: texts.input.files[file.problem] }
    return await question.answer(ctx, actor, state, file.text)
  } catch (error) {
    if (error instanceof ServiceError)
      return { problem: refusalText(texts, error, ctx.core.currency, texts.input.ownShort) }
    throw error
  }
}
