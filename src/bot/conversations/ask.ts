import type { Context } from 'grammy'
import type { Actor } from '../../core/access.ts'
import { ServiceError } from '../../core/errors.ts'
import type { BotContext, BotConversation } from '../context.ts'
import { errorText } from '../errors.ts'
import { html, lines } from '../html.ts'
import { LOCALES } from '../locales/index.ts'
import type { Screen } from '../screen.ts'
import { homeScreenFor } from '../features/show-home.ts'
import { Dialogue, type DialogueStart } from './dialogue.ts'

export const ASK = 'ask'
/** A dialogue is replayed from its start with each message, so it must end some time. */
const MAX_ANSWERS = 30

/**
 * Something that has to be typed. The dialogue asks it, and every typed input of the bot is such a question; what can be pressed
 * is a button.
 *
 * @typeParam State what the question must know, and what earlier answers gave; JSON, because it is stored (encrypted)
 */
export interface Question<State = unknown> {
  /** Under which it is stored: unique. */
  readonly name: string
  /** The chat's screen while it waits for the answer; its buttons lead out of the dialogue. */
  prompt(ctx: BotContext, actor: Actor, state: State): Screen | Promise<Screen>
  /**
   * What becomes of the answer. A refusal of the core (ServiceError) is shown and asked again.
   *
   * @param text trimmed, not empty; the message it came in is deleted already
   */
  answer(ctx: BotContext, actor: Actor, state: State, text: string): Promise<Outcome>
}

export type Outcome =
  /** The answer does not do: the same question again, with the reason. */
  | { readonly problem: string }
  /** The next question. */
  | Step
  /** The dialogue ends with this screen. */
  | { readonly screen: Screen }

interface Step {
  readonly question: string
  readonly state: unknown
}

interface AskStart extends DialogueStart, Step {
  readonly prompt: Screen
}

/** The next question of a dialogue, as the outcome of an answer. */
export function nextQuestion<State>(question: Question<State>, state: State): Step {
  return { question: question.name, state }
}

/** Begins a dialogue with a question. */
export async function ask<State>(ctx: BotContext, question: Question<State>, state: State): Promise<unknown> {
  const { actor, language } = ctx.session
  if (!actor) return ctx.show(await homeScreenFor(ctx))
  const prompt = await question.prompt(ctx, actor, state)
  const start: AskStart = {
    language,
    screen: await ctx.show(prompt),
    prompt,
    ...nextQuestion(question, state),
  }
  return ctx.conversation.enter(ASK, start)
}

/** The dialogue behind {@link ask}. Any button or command leaves it. */
export function askDialogue(questions: readonly Question<never>[]) {
  const byName = new Map(questions.map((question) => [question.name, question as Question]))

  /** Inside `external`: a replay does not do it again. */
  async function handle(ctx: BotContext, step: Step, text: string) {
    const { actor } = ctx.session
    const question = byName.get(step.question)
    if (!actor || !question) return { end: await homeScreenFor(ctx) }
    const outcome = await question.answer(ctx, actor, step.state, text).catch((error: unknown) => {
      if (error instanceof ServiceError) return { problem: errorText(ctx.texts, error.code) }
      throw error
    })
    if ('screen' in outcome) return { end: outcome.screen }
    if ('question' in outcome) {
      const next = byName.get(outcome.question)
      if (!next) throw new Error(`there is no question ${outcome.question}`)
      return { step: outcome, prompt: await next.prompt(ctx, actor, outcome.state) }
    }
    const prompt = await question.prompt(ctx, actor, step.state)
    return { step, prompt: { ...prompt, text: lines(prompt.text, '', html`⚠️ ${outcome.problem}`) } }
  }

  return async (conversation: BotConversation, ctx: Context, start: AskStart): Promise<void> => {
    const dialogue = new Dialogue(conversation, ctx, LOCALES[start.language], start)
    let step: Step = start
    let { prompt } = start
    for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
      const text = await dialogue.answerTo(prompt)
      const next = await conversation.external((outer) => handle(outer, step, text))
      if ('end' in next) return dialogue.end(next.end)
      ;({ step, prompt } = next)
      await dialogue.show(prompt)
    }
    return dialogue.end(await conversation.external((outer) => homeScreenFor(outer)))
  }
}
