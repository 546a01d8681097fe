import type { Message } from 'grammy/types'
import { isShopBotChat } from '../../core/access/chat-keys.ts'
import type { SentFile } from '../../core/facts/support-message.ts'

/** Between a bot and its file; ids of files have no such character (Bot API: base64url). */
const MARK = ':'

/**
 * Returns the picture or the file of a message. Telegram's id of a file works in one bot only, so that of an agent's bot stands before it.
 *
 * @param me the bot that got the message
 */
export function sentFile(
  { chat, photo, document }: Pick<Message, 'chat' | 'photo' | 'document'>,
  me: number,
): SentFile | undefined {
  // Sizes of a picture are sorted: the last one is the largest.
  const picture = photo?.at(-1)
  const id = (fileId: string) => (isShopBotChat(chat.id) ? fileId : `${me}${MARK}${fileId}`)
  if (picture) return { kind: 'photo', id: id(picture.file_id) }
  return document && { kind: 'document', id: id(document.file_id) }
}

/** Returns the bot that has a file, 0 for the shop's, and Telegram's id of the file there. */
export function placeOf({ id }: Pick<SentFile, 'id'>): { readonly botId: number; readonly fileId: string } {
  const [fileId = '', botId] = id.split(MARK).toReversed()
  return { botId: Number(botId ?? 0), fileId }
}
