import { type Api, InputFile } from 'grammy'
import { keyboard, type Screen, shownText } from '../kit/screen.ts'
import { isTelegramError, refusalIn } from '../transport/telegram-error.ts'

/**
 * Puts a screen on the phone: into the live message when there is one, else into a new message.
 *
 * @param live the message to edit; null for a new one
 * @param account the account for which the screen is
 * @returns the message that is the live screen now
 */
export async function show(
  api: Api,
  chatId: number,
  screen: Screen,
  live: number | null,
  account: number | undefined,
): Promise<number> {
  const shown = { photo: screen.photo, text: shownText(screen), keyboard: keyboard(screen.buttons, account) }
  if (live !== null) {
    try {
      await edit(api, chatId, shown, live)
      return live
    } catch (error) {
      const refusal = refusalIn(error)
      if (refusal === 'unchanged') return live
      if (refusal !== 'message') throw error
    }
  }
  return (await send(api, chatId, shown)).message_id
}

interface Shown extends Pick<Screen, 'text'> {
  readonly photo: string | undefined
  readonly keyboard: ReturnType<typeof keyboard>
}

/** A picture can be put into a message of text, but not taken out of one again: then a new message is sent. */
function edit(api: Api, chatId: number, { text, keyboard: rows, photo }: Shown, messageId: number) {
  const markup = { reply_markup: { inline_keyboard: rows } }
  if (photo === undefined)
    return api.editMessageText(chatId, messageId, text, { parse_mode: 'HTML', ...markup })
  const media = { type: 'photo', media: picture(photo), caption: text, parse_mode: 'HTML' } as const
  return api.editMessageMedia(chatId, messageId, media, markup)
}

function send(api: Api, chatId: number, { text, keyboard: rows, photo }: Shown) {
  const options = { parse_mode: 'HTML', reply_markup: { inline_keyboard: rows } } as const
  return photo === undefined
    ? api.sendMessage(chatId, text, options)
    : api.sendPhoto(chatId, picture(photo), { caption: text, ...options })
}

function picture(base64: string): InputFile {
  return new InputFile(Buffer.from(base64, 'base64'), 'picture.png')
}

/** Puts a screen of text into a message that is there; what Telegram refuses is left as it is. */
export async function editOnly(api: Api, chatId: number, messageId: number, screen: Screen): Promise<void> {
  const shown = { photo: undefined, text: shownText(screen), keyboard: keyboard(screen.buttons) }
  try {
    await edit(api, chatId, shown, messageId)
  } catch (error) {
    if (!isTelegramError(error)) throw error
  }
}

/** Deletes a message. One that is too old, already gone or out of reach is left without an error. */
export async function remove(api: Api, chatId: number, messageId: number): Promise<void> {
  try {
    await api.deleteMessage(chatId, messageId)
  } catch (error) {
    if (!isTelegramError(error)) throw error
  }
}
