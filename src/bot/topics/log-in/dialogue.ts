import type { Context } from 'grammy'
import { MAX_USERNAME } from '../../../core/usernames.ts'
import { ServiceError } from '../../../core/errors.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { wording } from '../../dialogue/ask.ts'
import { Dialogue, type DialogueStart } from '../../dialogue/dialogue.ts'
import { errorText } from '../../kit/errors.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext, BotConversation } from '../../session/context.ts'
import { textsOf } from '../../texts/index.ts'

export const LOG_IN = 'log-in'
/** A dialogue is replayed from its start with each message, so its length is limited. */
const ATTEMPTS = 5

/** The log-in dialogue: username, password, and the password again when they were wrong. Any button or command leaves it. */
export async function logInDialogue(
  conversation: BotConversation,
  ctx: Context,
  start: DialogueStart,
): Promise<void> {
  const texts = textsOf(start)
  const dialogue = new Dialogue(conversation, ctx, texts, start)
  const username = await dialogue.answerTo(promptScreen(texts, texts.logIn.username))
  // What is typed can be longer than any username, and would not fit on the screen.
  const shown = username.slice(0, MAX_USERNAME)
  let question = promptScreen(texts, texts.logIn.password(shown))
  await dialogue.show(question)
  let said: string | undefined

  for (let attempt = 1; ; attempt += 1) {
    const password = await dialogue.answerTo(question)
    const outcome = await conversation.external((outer) => tryLogIn(outer, { username, password }))
    if (outcome.ok) return dialogue.end(outcome.home)

    const problem = errorText(texts, outcome.code)
    if (attempt === ATTEMPTS || outcome.code === 'too_many_attempts')
      return dialogue.end(await conversation.external((outer) => outer.homeScreen(problem)))
    said = wording(texts, problem, said)
    const again = promptScreen(texts, texts.logIn.again(shown, said))
    const otherName = { text: texts.logIn.otherUsername, data: ACCESS.logIn.data() }
    question = { ...again, buttons: [[otherName], ...again.buttons] }
    await dialogue.show(question)
  }
}

/** Errors come back as values: what is thrown inside a dialogue's `external` loses its class when it is stored. */
async function tryLogIn(ctx: BotContext, credentials: { username: string; password: string }) {
  const { core, session } = ctx
  try {
    const actor = await core.chats.logIn(session.chatId, credentials)
    ctx.session = { ...session, actor, ended: undefined }
    return { ok: true, home: await ctx.homeScreen() } as const
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, code: error.code } as const
    throw error
  }
}
