import type { User } from 'grammy/types'
import { countCharacters } from './characters.ts'
import type { StoredMessage } from './chat.ts'
import { trimText, withFoundEntities } from './entities.ts'
import type { StoredFile, Upload } from './files.ts'
import type { TelegramState } from './state.ts'
import type { CallbackAnswer, TelegramEmulator } from './types.ts'
import type { UpdateContent } from './update-queue.ts'
import { toWireChat, toWireUser } from './wire.ts'

const ANSWER_TIMEOUT_MS = 15_000
const MAX_TEXT = 4096
const MAX_CAPTION = 1024
/** Content of the messages of Telegram itself (service messages). */
const NO_CONTENT = { text: { text: '', entities: [] }, keyboard: [], options: {}, editable: false }

/** What people do with one bot on their phones: each act ends up as an update for the bot. */
export function peopleSide({ bot, log, files, callbacks, updates, wire, now }: TelegramState) {
  /**
   * Adds a message of the person and tells the bot.
   *
   * @param more the file, the author and the message that is replied to
   */
  function write(
    chatId: number,
    text: string,
    limit: number,
    {
      upload,
      kind = 'document',
      author,
      replyTo,
    }: {
      upload?: Upload
      kind?: StoredFile['kind'] | undefined
      author?: number
      replyTo?: number | undefined
    } = {},
  ): number {
    const chat = log.chatOf(chatId)
    if (chat.blocked) throw new Error(`user ${chatId} has blocked the bot and cannot write to it`)
    if (countCharacters(text) > limit)
      throw new Error(`a phone does not send more than ${limit} characters at once`)
    const formatted = withFoundEntities(trimText({ text, entities: [] }))
    if (formatted.text === '' && !upload) throw new Error('a phone does not send an empty message')
    if (!chat.started) log.setState(chatId, { started: true })
    const file = upload && files.add(kind, upload)
    const message = log.add({
      chatId,
      from: 'user',
      text: formatted,
      ...(file && { file }),
      ...(author !== undefined && { author }),
      ...(replyTo !== undefined && { replyTo, ...threadOf(log.find(chatId, replyTo)) }),
      keyboard: [],
      options: {},
      editable: false,
    })
    updates.push({ message: wire(message) })
    return message.messageId
  }

  function pressStale(chatId: number, messageId: number, data: string, timeoutMs = ANSWER_TIMEOUT_MS) {
    const { user } = log.chatOf(chatId)
    const message = log.find(chatId, messageId)
    const { id, answered } = callbacks.open(chatId, timeoutMs)
    updates.push({
      callback_query: {
        id,
        from: toWireUser(user),
        // Of a message that is gone Telegram tells only where it was.
        message: message ? wire(message) : { chat: toWireChat(user), message_id: messageId, date: 0 },
        chat_instance: String(chatId),
        data,
      },
    })
    return answered
  }

  return {
    send: (chatId: number, text: string, replyTo?: number) => write(chatId, text, MAX_TEXT, { replyTo }),
    sendFile: (
      chatId: number,
      { caption = '', kind, ...upload }: Parameters<TelegramEmulator['sendFile']>[1],
    ) => write(chatId, caption, MAX_CAPTION, { upload, kind }),
    addToGroup(
      { id, title, forum = false }: { id: number; title: string; forum?: boolean },
      by: number,
    ): void {
      const { user } = log.chatOf(by)
      log.addUser({ id, firstName: title, languageCode: user.languageCode, ...(forum && { forum }) })
      log.setState(id, { started: true, blocked: false })
      const chat = log.chatOf(id)
      updates.push({
        my_chat_member: {
          chat: toWireChat(chat.user),
          from: toWireUser(user),
          date: now(),
          old_chat_member: { user: bot(), status: 'left' },
          new_chat_member: { user: bot(), status: 'member' },
        },
      })
    },
    sendInGroup: (groupId: number, author: number, text: string, replyTo?: number) =>
      write(groupId, text, MAX_TEXT, { author, replyTo }),
    upgradeGroup(groupId: number, supergroupId: number): void {
      const { user } = log.chatOf(groupId)
      log.addUser({ ...user, id: supergroupId })
      log.setState(supergroupId, { started: true, blocked: false })
      log.setState(groupId, { movedTo: supergroupId })
      const note = (chatId: number, content: object) => {
        const { text: _, ...service } = wire(log.add({ ...NO_CONTENT, chatId, from: 'user', author: chatId }))
        updates.push({ message: { ...service, ...content } })
      }
      note(groupId, { migrate_to_chat_id: supergroupId })
      note(supergroupId, { migrate_from_chat_id: groupId })
    },
    openTopic(chatId: number, author: number, topicName: string): number {
      const message = log.add({ ...NO_CONTENT, chatId, from: 'user', author, topicName })
      updates.push({ message: wire(message) })
      return message.messageId
    },
    endTopic(chatId: number, threadId: number, ended: 'closed' | 'deleted'): void {
      const { endedTopics, messages } = log.chatOf(chatId)
      log.setState(chatId, { endedTopics: { ...endedTopics, [threadId]: ended } })
      if (ended === 'closed') return
      const inTopic = messages.filter((each) => each.threadId === threadId || each.messageId === threadId)
      for (const message of inTopic) log.remove(message)
    },
    receive: (content: UpdateContent) => updates.push(content),
    pressStale,
    press: (chatId: number, messageId: number, data: string, timeoutMs?: number): Promise<CallbackAnswer> =>
      hasCallback(log.find(chatId, messageId), data)
        ? pressStale(chatId, messageId, data, timeoutMs)
        : Promise.reject(
            new Error(`message ${messageId} has no button with the callback data "${data}" now`),
          ),
    setBlocked(chatId: number, blocked: boolean): void {
      const chat = log.chatOf(chatId)
      if (chat.blocked === blocked) return
      log.setState(chatId, { blocked })
      const banned = { user: bot(), status: 'kicked', until_date: 0 } as const
      const member = { user: bot(), status: 'member' } as const
      updates.push({
        my_chat_member: {
          chat: toWireChat(chat.user),
          from: toWireUser(chat.user),
          date: now(),
          old_chat_member: blocked ? member : banned,
          new_chat_member: blocked ? banned : member,
        },
      })
    },
  }
}

/** Adds the service message about a bot that the person has made through this one, and tells the bot. */
export function announceCreated(
  { log, updates, wire }: TelegramState,
  chatId: number,
  createdBot: User,
): void {
  log.setState(chatId, { started: true })
  updates.push({ message: wire(log.add({ ...NO_CONTENT, chatId, from: 'user', createdBot })) })
}

/** Returns the topic of a reply: that of the message that is replied to. */
function threadOf(message: StoredMessage | undefined): Pick<StoredMessage, 'threadId'> {
  const threadId = message?.topicName === undefined ? message?.threadId : message.messageId
  return threadId === undefined ? {} : { threadId }
}

function hasCallback(message: StoredMessage | undefined, data: string): boolean {
  return (
    message?.keyboard.flat().some((button) => 'callback_data' in button && button.callback_data === data) ??
    false
  )
}
