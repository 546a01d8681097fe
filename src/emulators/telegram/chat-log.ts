import { ApiError, badRequest } from './api-error.ts'
import type { Chat, StoredMessage } from './chat.ts'
import type { BotStore } from './chat-store.ts'
import { toEmulatedButtons } from './keyboards.ts'
import type { ChatEvent, EmulatedMessage, EmulatedUser } from './types.ts'

export type NewMessage = Omit<StoredMessage, 'messageId' | 'date' | 'editDate'>

export type ChatLog = ReturnType<typeof createChatLog>

/**
 * Makes the log of all chats of one bot with their messages, and of the listeners to changes in them.
 *
 * @param firstMessageId message ids grow from here over all chats, as they do for a bot's private chats; another bot has the same ids
 * @param now in Unix seconds
 * @param store keeps the chats beyond the process
 */
export function createChatLog(firstMessageId: number, now: () => number, store?: BotStore) {
  const chats = new Map<number, Chat>((store?.load() ?? []).map((chat) => [chat.user.id, chat]))
  const listeners = new Set<(event: ChatEvent) => void>()
  const newest = [...chats.values()].flatMap(({ messages }) => messages.at(-1)?.messageId ?? [])
  let nextMessageId = Math.max(firstMessageId, ...newest.map((id) => id + 1))

  function emit(event: ChatEvent): void {
    for (const listener of listeners) listener(event)
  }

  /** @throws Error for a user that was never added */
  function chatOf(chatId: number): Chat {
    const chat = chats.get(chatId)
    if (!chat) throw new Error(`no user ${chatId} in the emulator: call addUser first`)
    return chat
  }

  /**
   * Finds the chat that a bot names by its id.
   *
   * @throws ApiError `chat not found`
   */
  function resolve(chatId: number | string): Chat {
    const chat = chats.get(Number(chatId))
    if (!chat) throw badRequest('chat not found')
    return chat
  }

  /**
   * Does the same as `resolve`, for calls that change something in the chat.
   *
   * @throws ApiError also for a group that is a supergroup now
   */
  function resolvePresent(chatId: number | string): Chat {
    const chat = resolve(chatId)
    const { movedTo } = chat
    if (movedTo === undefined) return chat
    throw badRequest('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: movedTo })
  }

  /**
   * Does the same as `resolvePresent`, for calls that reach the person.
   *
   * @throws ApiError 403 when the person blocked the bot or never wrote to it, or it is not in the group
   */
  function resolveWritable(chatId: number | string): Chat {
    const chat = resolvePresent(chatId)
    if (chat.blocked && isGroup(chat.user))
      throw new ApiError(403, `Forbidden: bot is not a member of the ${groupType(chat.user)} chat`)
    if (chat.blocked) throw new ApiError(403, 'Forbidden: bot was blocked by the user')
    if (!chat.started) throw new ApiError(403, "Forbidden: bot can't initiate conversation with a user")
    return chat
  }

  function find(chatId: number, messageId: number): StoredMessage | undefined {
    return chats.get(chatId)?.messages.find((message) => message.messageId === messageId)
  }

  function add(fields: NewMessage): StoredMessage {
    const message: StoredMessage = { ...fields, messageId: nextMessageId++, date: now() }
    chatOf(fields.chatId).messages.push(message)
    store?.saveMessage(message)
    emit({ type: 'message', chatId: message.chatId, message: toEmulatedMessage(message) })
    return message
  }

  /** Puts changed fields of an existing message in place; an edit that removes the file passes a message without it. */
  function replace(message: StoredMessage): StoredMessage {
    const { messages } = chatOf(message.chatId)
    const edited = { ...message, editDate: now() }
    messages.splice(
      messages.findIndex(({ messageId }) => messageId === message.messageId),
      1,
      edited,
    )
    store?.saveMessage(edited)
    emit({ type: 'edit', chatId: message.chatId, message: toEmulatedMessage(edited) })
    return edited
  }

  function change(chat: Chat): void {
    chats.set(chat.user.id, chat)
    store?.saveChat(chat)
  }

  function remove({ chatId, messageId }: StoredMessage): void {
    const { messages } = chatOf(chatId)
    messages.splice(
      messages.findIndex((message) => message.messageId === messageId),
      1,
    )
    store?.removeMessage(messageId)
    emit({ type: 'delete', chatId, messageId })
  }

  return {
    emit,
    chatOf,
    resolve,
    resolvePresent,
    resolveWritable,
    find,
    add,
    replace,
    remove,
    chats: () => [...chats.values()],
    /** Files of all messages. */
    files: () => [...chats.values()].flatMap(({ messages }) => messages.flatMap(({ file }) => file ?? [])),
    /** Adding a user again changes the profile and keeps the chat. */
    addUser: (user: EmulatedUser): void =>
      change({ started: false, blocked: false, messages: [], ...chats.get(user.id), user }),
    /** Changes whether the bot may write to a chat. */
    setState: (chatId: number, state: Partial<Omit<Chat, 'user' | 'messages'>>): void =>
      change({ ...chatOf(chatId), ...state }),
    visible: (chatId: number) => chatOf(chatId).messages.map(toEmulatedMessage),
    subscribe: (listener: (event: ChatEvent) => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Telegram gives groups negative ids. */
export function isGroup({ id }: Pick<EmulatedUser, 'id'>): boolean {
  return id < 0
}

/** The ids of supergroups begin with -100 and have ten digits more. */
export function groupType({ id }: Pick<EmulatedUser, 'id'>): 'group' | 'supergroup' {
  return id <= -1_000_000_000_000 ? 'supergroup' : 'group'
}

function toEmulatedMessage(message: StoredMessage): EmulatedMessage {
  const { messageId, from, date, text, file } = message
  return {
    messageId,
    from,
    date,
    edited: message.editDate !== undefined,
    ...(message.threadId !== undefined && { threadId: message.threadId }),
    text: text.text,
    entities: text.entities.map(({ type, offset, length, url }) => ({
      type,
      offset,
      length,
      ...(url && { url }),
    })),
    ...(file && {
      file: {
        kind: file.kind,
        fileId: file.fileId,
        fileName: file.fileName,
        mimeType: file.mimeType,
        size: file.content.length,
        ...(file.width && file.height && { width: file.width, height: file.height }),
      },
    }),
    keyboard: toEmulatedButtons(message.keyboard),
    ...(message.createdBot && {
      createdBot: { username: message.createdBot.username ?? '', name: message.createdBot.first_name },
    }),
  }
}
