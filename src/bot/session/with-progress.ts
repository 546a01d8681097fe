import type { Tell } from '../../core/tell.ts'
import { progressLine } from '../kit/progress.ts'
import { type Html, lines } from '../texts/html.ts'
import type { BotContext } from './context.ts'
import { editOnly } from './show.ts'

/** Least time in ms between two states of a screen: Telegram limits the edits in a chat. */
const UPDATE_MS = 2_500

/**
 * Carries out work of many steps that somebody waits for; while it lasts, the pressed screen shows how far it is (rules 18.13).
 *
 * @param title what is being done
 * @param work calls its argument when a step is done
 */
export async function withProgress<Result>(
  { api, callbackQuery, core, texts }: BotContext,
  title: Html,
  work: (tell: Tell) => Promise<Result>,
): Promise<Result> {
  const message = callbackQuery?.message
  const since = core.now()
  let shownAt = since.getTime()
  let showing = Promise.resolve()
  const tell: Tell = (done, total) => {
    const now = core.now()
    if (!message || now.getTime() - shownAt < UPDATE_MS) return
    shownAt = now.getTime()
    const text = lines(title, progressLine(texts, { done, total, since }, now))
    showing = showing.then(() => editOnly(api, message.chat.id, message.message_id, { text, buttons: [] }))
  }
  try {
    return await work(tell)
  } finally {
    // The result must not be overtaken by a state of before.
    await showing
  }
}
