import type { Chat as WireChat, Message, MessageEntity, Update, User } from 'grammy/types'
import type { StoredMessage } from './chat.ts'
import { type ChatLog, groupType, isGroup } from './chat-log.ts'
import type { StoredFile } from './files.ts'
import type { EmulatedUser } from './types.ts'

/** Telegram's first colour of topics. */
export const TOPIC_COLOR = 0x6fb9f0

type WireMessage = Message & Update.NonChannel

/** Returns a person as the Bot API shows it. */
export function toWireUser(user: EmulatedUser): User {
  return {
    id: user.id,
    is_bot: false,
    first_name: user.firstName,
    ...(user.username !== undefined && { username: user.username }),
    language_code: user.languageCode,
  }
}

/** Returns the private chat with a person, or the group, as the Bot API shows it. */
export function toWireChat(
  user: EmulatedUser,
): WireChat.PrivateChat | WireChat.GroupChat | WireChat.SupergroupChat {
  if (isGroup(user)) {
    const type = groupType(user)
    if (type === 'group') return { id: user.id, type, title: user.firstName }
    return { id: user.id, type, title: user.firstName, ...(user.forum && { is_forum: true as const }) }
  }
  const { id, first_name, username } = toWireUser(user)
  return { id, type: 'private', first_name, ...(username !== undefined && { username }) }
}

/** Returns a message as the Bot API shows it, with the message that it replies to as long as that one exists. */
export function toWireMessage(log: ChatLog, bot: User, message: StoredMessage): WireMessage {
  const replied = message.replyTo === undefined ? undefined : log.find(message.chatId, message.replyTo)
  // Telegram shows one level of replies only.
  const reply: object = replied ? { reply_to_message: withoutReply(log, bot, replied) } : {}
  return { ...withoutReply(log, bot, message), ...reply }
}

function withoutReply(log: ChatLog, bot: User, message: StoredMessage): WireMessage {
  const { user } = log.chatOf(message.chatId)
  const { text, entities } = message.text
  const wireEntities = entities as MessageEntity[]
  return {
    message_id: message.messageId,
    from: message.from === 'bot' ? bot : toWireUser(authorOf(log, message)),
    chat: toWireChat(user),
    date: message.date,
    ...(message.editDate !== undefined && { edit_date: message.editDate }),
    ...(message.forwarded && { forward_origin: toOrigin(log, bot, message.forwarded) }),
    ...(message.mediaGroupId !== undefined && { media_group_id: message.mediaGroupId }),
    ...(message.options as Pick<Message, 'link_preview_options'>),
    ...(message.threadId !== undefined && {
      message_thread_id: message.threadId,
      is_topic_message: true as const,
    }),
    ...content(message, text),
    ...(message.file && text !== '' && { caption: text }),
    ...(entities.length > 0 &&
      (message.file ? { caption_entities: wireEntities } : { entities: wireEntities })),
    ...(message.keyboard.length > 0 && {
      reply_markup: { inline_keyboard: message.keyboard.map((row) => [...row]) },
    }),
  }
}

function content({ file, topicName: name, createdBot: bot }: StoredMessage, text: string) {
  if (bot) return { managed_bot_created: { bot } }
  if (name !== undefined) return { forum_topic_created: { name, icon_color: TOPIC_COLOR } as const }
  return file ? toWireFile(file) : { text }
}

function authorOf(log: ChatLog, { chatId, author = chatId }: StoredMessage): EmulatedUser {
  return log.chatOf(author).user
}

function toOrigin(log: ChatLog, bot: User, { from, date }: NonNullable<StoredMessage['forwarded']>) {
  const sender = from === 'bot' ? bot : toWireUser(log.chatOf(from).user)
  return { type: 'user' as const, sender_user: sender, date }
}

function toWireFile(file: StoredFile): Pick<Message, 'photo' | 'document'> {
  const shared = { file_id: file.fileId, file_unique_id: file.fileUniqueId, file_size: file.content.length }
  return file.kind === 'photo'
    ? { photo: [{ ...shared, width: file.width ?? 0, height: file.height ?? 0 }] }
    : { document: { ...shared, file_name: file.fileName, mime_type: file.mimeType } }
}
