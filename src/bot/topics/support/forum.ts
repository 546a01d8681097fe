import { type Api, GrammyError } from 'grammy'
import type { Core } from '../../../core/core.ts'
import type { Ticket } from '../../../core/support/ticket.ts'

/** Longest name of a topic (Bot API). */
const MAX_NAME = 128

type Asked = Pick<Ticket, 'ticketNo' | 'username'>

/** The topic of a ticket in a group with topics, made when it has none; undefined in other chats. */
export async function ticketTopic(
  api: Api,
  core: Core,
  chatId: number,
  ticket: Asked,
): Promise<number | undefined> {
  // Private chats have positive ids.
  if (chatId > 0 || !isForum(await api.getChat(chatId))) return undefined
  return (await core.support.threadOf(chatId, ticket.ticketNo)) ?? newTopic(api, core, chatId, ticket)
}

/**
 * Makes a topic for a ticket. A kill before it is remembered leaves an empty one.
 *
 * @returns undefined where the bot may not make topics
 */
export async function newTopic(
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
    if (error instanceof GrammyError && error.error_code === 400) return undefined
    throw error
  }
}

/** Whether the topic was deleted in the group. */
export function isThreadGone(error: unknown): boolean {
  return error instanceof GrammyError && error.description.includes('message thread not found')
}

function isForum(chat: object): boolean {
  return 'is_forum' in chat && chat.is_forum === true
}
