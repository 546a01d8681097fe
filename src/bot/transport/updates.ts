import type { Update } from 'grammy/types'

/** `managed_bot`: of the shop's bot, where agents have bots of their own. */
export type UpdateKind = 'message' | 'callback_query' | 'my_chat_member' | 'managed_bot'

/** The kinds of updates that the bot asks Telegram for: no edited messages, channel posts or inline queries. */
export const UPDATE_KINDS: Exclude<UpdateKind, 'managed_bot'>[] = [
  'message',
  'callback_query',
  'my_chat_member',
]

/**
 * Service messages: Telegram writes them when a person has pinned a message, or changed topics or the chat's looks. They are ignored,
 * because nobody wrote to the bot, and a payment screen that was just pinned must stay.
 */
export const NOTES = [
  'message:pinned_message',
  'message:message_auto_delete_timer_changed',
  'message:chat_background_set',
  'message:forum_topic_created',
  'message:forum_topic_edited',
  'message:forum_topic_closed',
  'message:forum_topic_reopened',
  'message:general_forum_topic_hidden',
  'message:general_forum_topic_unhidden',
] as const

/** Id of the chat that an update belongs to; without a chat, the person's, or 0. */
export function chatOf({ message, callback_query, my_chat_member, managed_bot }: Update): number {
  const person = callback_query?.from ?? managed_bot?.user
  return (message ?? callback_query?.message ?? my_chat_member)?.chat.id ?? person?.id ?? 0
}
