import { isDeepStrictEqual } from 'node:util'
import { badRequest, notImplemented } from '../api-error.ts'
import type { StoredMessage } from '../chat.ts'
import { readInlineKeyboard, type ReplyMarkupInput } from '../keyboards.ts'
import type { TelegramState } from '../state.ts'
import type { Call, Method } from './method.ts'
import {
  captionOf,
  captionOptions,
  textOf,
  textOptions,
  type CaptionInput,
  type MediaInput,
  type MessageTextInput,
} from './send.ts'

interface EditInput {
  readonly chat_id?: number | string
  readonly message_id?: number
  readonly reply_markup?: ReplyMarkupInput
  readonly inline_message_id?: string
  readonly business_connection_id?: string
}

const DELETABLE_SECONDS = 48 * 60 * 60
const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message'

/** Methods that change or remove messages. An edit without `reply_markup` removes the keyboard, as in Telegram. */
export function editMethods({ log, files, wire, now }: TelegramState) {
  type Change = Partial<Pick<StoredMessage, 'text' | 'file' | 'options'>>

  /** Applies the change to the bot's own message, after Telegram's checks. */
  function edit(input: EditInput, change: (message: StoredMessage) => Change) {
    if (input.business_connection_id !== undefined) throw badRequest('business connection not found')
    if (input.inline_message_id !== undefined) throw notImplemented('inline messages')
    if (input.chat_id === undefined) {
      throw badRequest(
        input.message_id === undefined ? 'message identifier is not specified' : 'chat_id is empty',
      )
    }
    const keyboard = readInlineKeyboard(input.reply_markup)
    const message = log.find(log.resolvePresent(input.chat_id).user.id, input.message_id ?? 0)
    if (!message) throw badRequest('message to edit not found')
    if (message.from !== 'bot' || !message.editable) throw badRequest("message can't be edited")
    const edited: StoredMessage = { ...message, ...change(message), keyboard }
    if (isDeepStrictEqual(edited, message)) throw badRequest(NOT_MODIFIED)
    return wire(log.replace(edited))
  }

  /** @throws ApiError for a message that Telegram lets nobody delete any more */
  function remove(message: StoredMessage): void {
    if (message.date < now() - DELETABLE_SECONDS) throw badRequest("message can't be deleted for everyone")
    log.remove(message)
  }

  return {
    editMessageText(input: EditInput & Partial<MessageTextInput>) {
      const { text } = input
      if (!text) throw badRequest('message text is empty')
      const change = {
        text: textOf({ ...input, text }, 'MESSAGE_TOO_LONG'),
        options: textOptions({ ...input, text }),
      }
      return edit(input, ({ file }) => {
        if (file) throw badRequest('there is no text in the message to edit')
        return change
      })
    },
    editMessageCaption(input: EditInput & CaptionInput) {
      const change = { text: captionOf(input), options: captionOptions(input) }
      return edit(input, ({ file }) => {
        if (!file) throw badRequest('there is no caption in the message to edit')
        return change
      })
    },
    editMessageMedia(input: EditInput & { readonly media: MediaInput }, { uploads }: Call) {
      const { media } = input
      const change = {
        text: captionOf(media),
        file: files.resolve(media.type, media.media, uploads),
        options: captionOptions(media),
      }
      return edit(input, () => change)
    },
    editMessageReplyMarkup: (input: EditInput) => edit(input, () => ({})),
    deleteMessage(input: { readonly chat_id: number | string; readonly message_id: number }) {
      const message = log.find(log.resolve(input.chat_id).user.id, input.message_id)
      if (!message) throw badRequest('message to delete not found')
      remove(message)
      return true
    },
    /** Messages that do not exist are skipped. */
    deleteMessages(input: { readonly chat_id: number | string; readonly message_ids: readonly number[] }) {
      if (input.message_ids.length === 0) throw badRequest('message identifiers are not specified')
      if (input.message_ids.length > 100) throw badRequest('too many message identifiers specified')
      const chatId = log.resolve(input.chat_id).user.id
      for (const id of new Set(input.message_ids)) {
        const message = log.find(chatId, id)
        if (message) remove(message)
      }
      return true
    },
  } satisfies Record<string, Method>
}
