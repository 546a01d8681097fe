import { badRequest } from '../api-error.ts'
import { isGroup } from '../chat-log.ts'
import { countCharacters } from '../characters.ts'
import type { TelegramState } from '../state.ts'
import { TOPIC_COLOR, toWireChat } from '../wire.ts'
import type { Method } from './method.ts'

interface AnswerInput {
  readonly callback_query_id: string
  readonly text?: string
  readonly show_alert?: boolean
}

const MAX_ANSWER = 200
const MAX_TOPIC = 128
const NO_GIFTS = {
  unlimited_gifts: false,
  limited_gifts: false,
  unique_gifts: false,
  premium_subscription: false,
  gifts_from_channels: false,
}

/** Methods about a chat that neither send nor change a message. */
export function chatMethods({ bot, log, files, callbacks, updates, now }: TelegramState) {
  return {
    getChat: ({ chat_id }: { readonly chat_id: number | string }) => ({
      ...toWireChat(log.resolve(chat_id).user),
      accent_color_id: 0,
      max_reaction_count: 11,
      accepted_gift_types: NO_GIFTS,
    }),
    createForumTopic({ chat_id, name }: { readonly chat_id: number | string; readonly name: string }) {
      const { user } = log.resolveWritable(chat_id)
      if (!user.forum) throw badRequest('the chat is not a forum')
      if (countCharacters(name) > MAX_TOPIC) throw badRequest('topic name is too long')
      const { messageId } = log.add({
        chatId: user.id,
        from: 'bot',
        text: { text: '', entities: [] },
        topicName: name,
        keyboard: [],
        options: {},
        editable: false,
      })
      return { message_thread_id: messageId, name, icon_color: TOPIC_COLOR }
    },
    leaveChat({ chat_id }: { readonly chat_id: number | string }) {
      const chat = log.resolveWritable(chat_id)
      if (!isGroup(chat.user)) throw badRequest("chat member status can't be changed in private chats")
      log.setState(chat.user.id, { blocked: true })
      updates.push({
        my_chat_member: {
          chat: toWireChat(chat.user),
          from: bot(),
          date: now(),
          old_chat_member: { user: bot(), status: 'member' },
          new_chat_member: { user: bot(), status: 'left' },
        },
      })
      return true
    },
    getFile({ file_id }: { readonly file_id: string }) {
      const file = files.download(file_id)
      const { fileId, fileUniqueId, content } = file
      const path = files.pathOf(file)
      return { file_id: fileId, file_unique_id: fileUniqueId, file_size: content.length, file_path: path }
    },
    answerCallbackQuery({ callback_query_id, text, show_alert = false }: AnswerInput) {
      if (text !== undefined && countCharacters(text) > MAX_ANSWER) throw badRequest('MESSAGE_TOO_LONG')
      const answer = { ...(text && { text }), showAlert: show_alert }
      const chatId = callbacks.answer(callback_query_id, answer)
      if (chatId === undefined) {
        throw badRequest('query is too old and response timeout expired or query ID is invalid')
      }
      log.emit({ type: 'answer', chatId, callbackId: callback_query_id, answer })
      return true
    },
  } satisfies Record<string, Method>
}
