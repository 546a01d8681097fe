import type { Message, Update } from 'grammy/types'
import type { ChatKeys } from '../../core/access/chat-keys.ts'

/** The body of a call: JSON, or a form when it carries a file. */
type Body = string | Buffer | undefined

/** In JSON a quotation mark within a text is escaped, so what looks like a key is one. */
const IN_JSON = /("(?:from_)?chat_id":"?)(\d{16})/g
const IN_FORM = /(name="(?:from_)?chat_id"[^]{0,100}?\r\n\r\n)(\d{16})/g
/** The fields of a form that are no files stand before the files. */
const FORM_HEAD = 4_000

/**
 * Puts the ids of Telegram in the place of those that the chats of agents' bots have here (rules 20.2). This is the only place where calls
 * are translated; {@link withOwnChat} does the same for what comes in.
 */
export async function toTelegramIds(chats: ChatKeys, body: Body): Promise<Body> {
  if (body === undefined) return undefined
  const isText = typeof body === 'string'
  const head = isText ? body : body.toString('latin1', 0, FORM_HEAD)
  const pattern = isText ? IN_JSON : IN_FORM
  const ids = new Map<string, string>()
  for (const [, , key = ''] of head.matchAll(pattern)) {
    const chat = await chats.chatOf(Number(key))
    if (chat) ids.set(key, String(chat.telegramId))
  }
  if (ids.size === 0) return body
  const translated = head.replaceAll(
    pattern,
    (_all, name: string, key: string) => name + (ids.get(key) ?? key),
  )
  return isText ? translated : Buffer.concat([Buffer.from(translated, 'latin1'), body.subarray(FORM_HEAD)])
}

/**
 * Returns an update of an agent's bot with the id that its chat has here.
 *
 * @returns undefined for one of a group or a channel, where bots of agents do nothing
 */
export async function withOwnChat(
  chats: ChatKeys,
  botId: number,
  update: Update,
): Promise<Update | undefined> {
  const { message, callback_query: press, my_chat_member: member } = update
  const inChat: Pick<Message, 'chat'> | undefined = message ?? press?.message ?? member
  if (inChat?.chat.type !== 'private') return undefined
  const id = await chats.idOf({ botId, telegramId: inChat.chat.id })
  inChat.chat.id = id
  if (message?.reply_to_message) message.reply_to_message.chat.id = id
  return update
}
