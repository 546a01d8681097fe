import type { Context } from 'grammy'
import type { BotContext, BotConversation } from '../context.ts'
import { html, type Html, lines } from '../html.ts'
import { LOCALES, type Texts } from '../locales/index.ts'
import type { Screen } from '../screen.ts'
import { promptScreen } from '../screens/general.ts'
import { Dialogue, type DialogueStart } from './dialogue.ts'

export const TYPE_NUMBER = 'type-number'

export interface TypeNumberStart extends DialogueStart {
  /** Callback data of the screen before, to which Cancel leads. */
  readonly back: string
  /** Callback data of the screen after, but for the number. */
  readonly confirm: string
  readonly max: number
}

/** The question, and what was wrong with the last answer. */
export function numberPrompt(
  texts: Texts,
  { back, max }: Pick<TypeNumberStart, 'back' | 'max'>,
  problem?: Html,
): Screen {
  return promptScreen(
    texts,
    lines(texts.buy.typeNumber(max), ...(problem ? ['' as const, problem] : [])),
    back,
  )
}

/**
 * Asks for a number of proxies until it is one.
 *
 * @param next the screen that a button with this callback data leads to
 */
export function typeNumberDialogue(next: (ctx: BotContext, data: string) => Promise<Screen>) {
  return async (conversation: BotConversation, ctx: Context, start: TypeNumberStart): Promise<void> => {
    const texts = LOCALES[start.language]
    const dialogue = new Dialogue(conversation, ctx, texts, start)
    let question = numberPrompt(texts, start)
    for (;;) {
      const answer = await dialogue.answerTo(question)
      const count = /^\d{1,6}$/.test(answer) ? Number(answer) : 0
      if (count >= 1 && count <= start.max) {
        return dialogue.end(await conversation.external((outer) => next(outer, `${start.confirm}:${count}`)))
      }
      question = numberPrompt(texts, start, html`⚠️ ${texts.buy.notANumber(answer.slice(0, 40), start.max)}`)
      await dialogue.show(question)
    }
  }
}
