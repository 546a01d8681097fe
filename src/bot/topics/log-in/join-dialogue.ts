import type { Context } from 'grammy'
import type { Invitation } from '../../../core/accounts/join.ts'
import { ServiceError } from '../../../core/errors.ts'
import { Dialogue, type DialogueStart } from '../../dialogue/dialogue.ts'
import { errorText, refusalText } from '../../kit/errors.ts'
import { amount } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext, BotConversation } from '../../session/context.ts'
import { type Html, html, lines } from '../../texts/html.ts'
import { textsOf, type Texts } from '../../texts/index.ts'

export const JOIN = 'join'
/** A dialogue is replayed from its start with each message, so its length is limited. */
const ANSWERS = 20

export interface JoinStart extends DialogueStart {
  readonly token: string
  readonly offer: Invitation
  readonly currency: string
}

/** The registration: username, password, and again what was refused. Any button or command leaves it. */
export async function joinDialogue(
  conversation: BotConversation,
  ctx: Context,
  start: JoinStart,
): Promise<void> {
  const { token, offer, currency } = start
  const texts = textsOf(start)
  const dialogue = new Dialogue(conversation, ctx, texts, start)
  const askUsername = usernamePrompt(texts, offer, currency)
  let question = askUsername
  let username: string | undefined
  for (let answers = 0; answers < ANSWERS; answers += 1) {
    const answer = await dialogue.answerTo(question)
    const name = username
    const outcome = await conversation.external((outer) =>
      name === undefined
        ? tryUsername(outer, answer)
        : register(outer, { token, username: name, password: answer }),
    )
    if (outcome.end) return dialogue.end(outcome.end)
    // A name that somebody else has taken meanwhile is asked for again.
    username = outcome.username
    const next = username === undefined ? askUsername : promptScreen(texts, texts.join.password(username))
    question = { ...next, text: withProblem(next.text, outcome.problem) }
    await dialogue.show(question)
  }
  return dialogue.end(await conversation.external((outer) => outer.homeScreen()))
}

export function usernamePrompt(texts: Texts, { agent, trial }: Invitation, currency: string): Screen {
  return promptScreen(texts, texts.join.username(agent, trial > 0 ? amount(trial, currency) : undefined))
}

function withProblem(text: Html, problem: string | undefined): Html {
  return problem === undefined ? text : lines(text, '', html`⚠️ ${problem}`)
}

/** What becomes of an answer: the last screen, or the next question. */
interface Outcome {
  readonly end?: Screen
  /** Undefined while it still has to be chosen. */
  readonly username?: string
  readonly problem?: string
}

async function tryUsername(ctx: BotContext, username: string): Promise<Outcome> {
  return attempt(ctx, undefined, async () => {
    await ctx.core.accounts.checkNewUsername(ctx.session.chatId, username)
    return { username }
  })
}

type Registration = Parameters<BotContext['core']['chats']['join']>[1]

function register(ctx: BotContext, registration: Registration): Promise<Outcome> {
  return attempt(ctx, registration.username, async () => {
    const { core, session } = ctx
    const actor = await core.chats.join(session.chatId, registration)
    ctx.session = { ...session, actor, ended: undefined }
    return { end: await ctx.homeScreen() }
  })
}

/** Errors come back as values: what is thrown inside a dialogue's `external` loses its class when it is stored. */
async function attempt(
  ctx: BotContext,
  username: string | undefined,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code } = error
    if (code === 'too_many_attempts' || code === 'join_link_not_found')
      return { end: await ctx.homeScreen(errorText(ctx.texts, code)) }
    const problem = refusalText(ctx.texts, error, ctx.core.currency)
    return username === undefined || code === 'username_taken' ? { problem } : { username, problem }
  }
}
