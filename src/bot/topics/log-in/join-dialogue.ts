import type { Context } from 'grammy'
import { ServiceError } from '../../../core/errors.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { Dialogue, type DialogueStart } from '../../dialogue/dialogue.ts'
import { refusalText } from '../../kit/errors.ts'
import type { Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext, BotConversation } from '../../session/context.ts'
import { html, lines } from '../../texts/html.ts'
import { textsOf, type Texts } from '../../texts/index.ts'

export const JOIN = 'join'
/** A dialogue is replayed from its start with each message, so its length is limited. */
const ANSWERS = 20

export interface JoinStart extends DialogueStart {
  readonly token: string
}

/** The registration under a name that is typed, and again when it was refused. Any button or command leaves it. */
export async function joinDialogue(
  conversation: BotConversation,
  ctx: Context,
  start: JoinStart,
): Promise<void> {
  const { token } = start
  const texts = textsOf(start)
  const dialogue = new Dialogue(conversation, ctx, texts, start)
  const askUsername = usernamePrompt(texts, token)
  let question = askUsername
  for (let answers = 0; answers < ANSWERS; answers += 1) {
    const username = await dialogue.answerTo(question)
    const outcome = await conversation.external(async (outer) => {
      const refused = await register(outer, { token, username })
      if (refused === undefined) return { end: await outer.homeScreen() }
      const problem = refusalText(outer.texts, refused, outer.core.currency)
      return isFinal(refused) ? { end: await outer.homeScreen(problem) } : { problem }
    })
    if ('end' in outcome) return dialogue.end(outcome.end)
    question = { ...askUsername, text: lines(askUsername.text, '', html`⚠️ ${outcome.problem}`) }
    await dialogue.show(question)
  }
  return dialogue.end(await conversation.external((outer) => outer.homeScreen()))
}

/** @param token of the link, to whose window Cancel leads back */
export function usernamePrompt(texts: Texts, token: string): Screen {
  return promptScreen(texts, texts.join.username, ACCESS.register.data({ token }))
}

/** Whether another name would be refused as well. */
export function isFinal({ code }: ServiceError): boolean {
  return code === 'too_many_attempts' || code === 'join_link_not_found'
}

/**
 * Registers, and lets the newcomer act in the chat.
 *
 * @returns why it was refused. It comes back as a value: what is thrown inside a dialogue's `external` loses its class
 */
export async function register(
  ctx: BotContext,
  registration: { readonly token: string; readonly username: string },
): Promise<ServiceError | undefined> {
  const { core, session } = ctx
  try {
    const actor = await core.chats.join(session.chatId, registration)
    ctx.session = { ...session, actor, ended: undefined }
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
