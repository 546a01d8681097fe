import { randomUUID } from 'node:crypto'
import { badRequest, notImplemented } from '../api-error.ts'
import type { Chat, StoredMessage } from '../chat.ts'
import type { NewMessage } from '../chat-log.ts'
import type { Entity, FormattedText } from '../entities.ts'
import type { StoredFile } from '../files.ts'
import { readCaption, readText } from '../formatted-text.ts'
import { allowsEditing, readInlineKeyboard, type ReplyMarkupInput } from '../keyboards.ts'
import type { TelegramState } from '../state.ts'
import type { Call, Method } from './method.ts'

/** The parameters that all methods that send have in common. */
interface SendInput {
  readonly chat_id: number | string
  readonly message_thread_id?: number
  readonly reply_parameters?: {
    readonly message_id: number
    readonly chat_id?: number | string
    readonly allow_sending_without_reply?: boolean
  }
  readonly reply_markup?: ReplyMarkupInput
}

export interface CaptionInput {
  readonly caption?: string
  readonly parse_mode?: string
  readonly caption_entities?: readonly Entity[]
  readonly show_caption_above_media?: boolean
}

export interface MessageTextInput {
  readonly text: string
  readonly parse_mode?: string
  readonly entities?: readonly Entity[]
  readonly link_preview_options?: unknown
}

/** `InputMedia` after the table check. */
export interface MediaInput extends CaptionInput {
  readonly type: StoredFile['kind']
  readonly media: string
}

interface CopyInput extends SendInput, CaptionInput {
  readonly from_chat_id: number | string
  readonly message_id: number
}

/** Parameters that need what a private chat with this bot does not have, and how Telegram refuses them. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  business_connection_id: 'business connection not found',
  suggested_post_parameters: 'suggested posts can be sent only to channel direct messages',
  allow_paid_broadcast: 'FLOODSKIP_NOT_ALLOWED',
}
const NOT_SUPPORTED = [
  'direct_messages_topic_id',
  'message_effect_id',
  'receiver_user_id',
  'callback_query_id',
]

/** Returns the caption of a file, in the form that messages keep. */
export function captionOf(input: CaptionInput): FormattedText {
  return readCaption({
    text: input.caption ?? '',
    parseMode: input.parse_mode,
    entities: input.caption_entities,
  })
}

/** Returns the settings of a caption that {@link StoredMessage.options} keeps. */
export function captionOptions({ show_caption_above_media }: CaptionInput): StoredMessage['options'] {
  return show_caption_above_media ? { show_caption_above_media } : {}
}

/** Returns the text of a message, in the form that messages keep; `tooLong` is the reason for too long a text. */
export function textOf(input: MessageTextInput, tooLong: string): FormattedText {
  return readText({ text: input.text, parseMode: input.parse_mode, entities: input.entities }, tooLong)
}

/** Returns the settings of a text that {@link StoredMessage.options} keeps. */
export function textOptions({ link_preview_options }: MessageTextInput): StoredMessage['options'] {
  return link_preview_options === undefined ? {} : { link_preview_options }
}

/** Methods that put a message into a chat. */
export function sendMethods({ log, files, wire }: TelegramState) {
  type Content = Pick<NewMessage, 'text'> & Partial<NewMessage>

  /** Sends what `content` makes, after the checks in Telegram's order: the content, the markup, the chat, the reply. */
  function send(input: SendInput, content: () => Content): StoredMessage {
    checkPossible(input)
    const prepared = content()
    const keyboard = readInlineKeyboard(input.reply_markup)
    const chat = log.resolveWritable(input.chat_id)
    const threadId = threadOf(chat, input.message_thread_id)
    const replyTo = replyOf(chat, input.reply_parameters)
    return log.add({
      chatId: chat.user.id,
      from: 'bot',
      keyboard,
      options: {},
      editable: allowsEditing(input.reply_markup),
      ...(replyTo !== undefined && { replyTo }),
      ...(threadId !== undefined && { threadId }),
      ...prepared,
    })
  }

  /** Returns the topic if it is open. When a topic was deleted, the message that opened it is gone, too. */
  function threadOf({ user, endedTopics }: Chat, threadId: number | undefined): number | undefined {
    if (threadId === undefined) return undefined
    const ended = endedTopics?.[threadId]
    if (ended) throw badRequest(`TOPIC_${ended.toUpperCase()}`)
    if (log.find(user.id, threadId)?.topicName === undefined) throw badRequest('message thread not found')
    return threadId
  }

  function replyOf(chat: Chat, reply: SendInput['reply_parameters']): number | undefined {
    if (!reply) return undefined
    if (reply.chat_id !== undefined && Number(reply.chat_id) !== chat.user.id) {
      throw notImplemented('a reply to a message of another chat')
    }
    if (log.find(chat.user.id, reply.message_id)) return reply.message_id
    if (reply.allow_sending_without_reply) return undefined
    throw badRequest('message to be replied not found')
  }

  function sendFile(
    kind: StoredFile['kind'],
    value: string,
    input: SendInput & CaptionInput,
    { uploads }: Call,
  ) {
    const message = send(input, () => ({
      text: captionOf(input),
      file: files.resolve(kind, value, uploads),
      options: captionOptions(input),
    }))
    return wire(message)
  }

  function original(input: CopyInput, purpose: 'copy' | 'forward'): StoredMessage {
    const message = log.find(log.resolve(input.from_chat_id).user.id, input.message_id)
    if (!message) throw badRequest(`message to ${purpose} not found`)
    return message
  }

  return {
    sendMessage: (input: SendInput & MessageTextInput) =>
      wire(send(input, () => ({ text: textOf(input, 'message is too long'), options: textOptions(input) }))),
    sendPhoto: (input: SendInput & CaptionInput & { readonly photo: string }, call: Call) =>
      sendFile('photo', input.photo, input, call),
    sendDocument: (input: SendInput & CaptionInput & { readonly document: string }, call: Call) =>
      sendFile('document', input.document, input, call),
    sendMediaGroup(input: SendInput & { readonly media: readonly MediaInput[] }, { uploads }: Call) {
      const { media } = input
      if (media.length < 2) throw badRequest('too few messages to send as an album')
      if (media.length > 10) throw badRequest('too many messages to send as an album')
      if (new Set(media.map(({ type }) => type)).size > 1) {
        throw badRequest("document can't be mixed with other media types")
      }
      const mediaGroupId = randomUUID()
      const contents = media.map((item) => ({
        text: captionOf(item),
        file: files.resolve(item.type, item.media, uploads),
        options: captionOptions(item),
        mediaGroupId,
      }))
      return contents.map((content) => wire(send(input, () => content)))
    },
    copyMessage(input: CopyInput) {
      const { text, file, options } = original(input, 'copy')
      const newText = file && input.caption !== undefined ? captionOf(input) : text
      const copy = send(input, () => ({ text: newText, options, ...(file && { file }) }))
      return { message_id: copy.messageId }
    },
    forwardMessage(input: CopyInput) {
      const { text, file, options, from, date, chatId } = original(input, 'forward')
      const forwarded = { from: from === 'bot' ? from : chatId, date }
      return wire(send(input, () => ({ text, options, ...(file && { file }), forwarded, editable: false })))
    },
    sendChatAction({ action, ...input }: SendInput & { readonly action: string }) {
      checkPossible(input)
      if (!ACTIONS.has(action.toLowerCase())) throw badRequest('wrong parameter action in request')
      const chat = log.resolveWritable(input.chat_id)
      threadOf(chat, input.message_thread_id)
      log.emit({ type: 'typing', chatId: chat.user.id })
      return true
    },
  } satisfies Record<string, Method>
}

const ACTIONS = new Set([
  ...'cancel typing choose_sticker find_location record_video record_voice record_video_note'.split(' '),
  ...'upload_photo upload_video upload_voice upload_document upload_video_note'.split(' '),
])

function checkPossible(input: object): void {
  for (const [name, value] of Object.entries(input)) {
    const reason = value === false ? undefined : IMPOSSIBLE[name]
    if (reason !== undefined) throw badRequest(reason)
    if (NOT_SUPPORTED.includes(name)) throw notImplemented(`parameter ${name}`)
  }
}
