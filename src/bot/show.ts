import { type Api, GrammyError } from 'grammy'
import { keyboard, type Screen } from './screen.ts'

/** Telegram's ways of saying that this message cannot become the screen any more. */
const NOT_EDITABLE =
  /message to edit not found|message can't be edited|there is no text in the message|MESSAGE_ID_INVALID/

/**
 * Puts a screen on the phone: into the live message when there is one, else into a new message.
 *
 * @param live the message to edit; null for a new one
 * @returns the message that is the live screen now
 */
export async function show(api: Api, chatId: number, screen: Screen, live: number | null): Promise<number> {
  const options = { parse_mode: 'HTML', reply_markup: { inline_keyboard: keyboard(screen.buttons) } } as const
  if (live !== null) {
    try {
      await api.editMessageText(chatId, live, screen.text, options)
      return live
    } catch (error) {
      if (!(error instanceof GrammyError)) throw error
      if (error.description.includes('message is not modified')) return live
      if (!NOT_EDITABLE.test(error.description)) throw error
    }
  }
  return (await api.sendMessage(chatId, screen.text, options)).message_id
}

/** Removes a message that is not wanted any more; too old or already gone is no trouble. */
export async function remove(api: Api, chatId: number, messageId: number): Promise<void> {
  try {
    await api.deleteMessage(chatId, messageId)
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error
  }
}
