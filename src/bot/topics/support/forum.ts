import type { Api } from 'grammy'
import type { Core } from '../../../core/core.ts'
import type { Ticket } from '../../../core/support/ticket.ts'
import { refusalIn } from '../../transport/telegram-error.ts'

/** Longest name of a topic, in characters (Bot API). */
const MAX_NAME = 128

type Asked = Pick<Ticket, 'ticketNo' | 'username'>

/**
 * The topic of a ticket in a group with topics, made when it has none; undefined in other chats.
 *
 * @param ended topic that was closed or deleted in the group: not used again
 */
export async function ticketTopic(
  api: Api,
  core: Core,
  chatId: number,
  ticket: Asked,
  ended?: number,
): Promise<number | undefined> {
  // Private chats have positive ids.
  if (chatId > 0 || !isForum(await api.getChat(chatId))) return undefined
  const known = await core.support.threadOf(chatId, ticket.ticketNo)
  return known === undefined || known === ended ? newTopic(api, core, chatId, ticket) : known
}

/**
 * Makes a topic for a ticket. A kill before it is stored leaves an empty topic.
 *
 * @returns undefined where the bot may not make topics
 */
async function newTopic(
  api: Api,
  core: Core,
  chatId: number,
  { ticketNo, username }: Asked,
): Promise<number | undefined> {
  try {
    const { message_thread_id } = await api.createForumTopic(chatId, username.slice(0, MAX_NAME))
    await core.support.setThread(chatId, ticketNo, message_thread_id)
    return message_thread_id
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal === undefined || refusal === 'busy') throw error
    return undefined
  }
}

function isForum(chat: object): boolean {
  return 'is_forum' in chat && chat.is_forum === true
}
