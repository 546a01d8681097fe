import type { Update } from 'grammy/types'

/** The kinds of updates that the bot asks Telegram for. Edited messages, channel posts, inline queries: not its business. */
export const UPDATE_KINDS: ('message' | 'callback_query' | 'my_chat_member')[] = [
  'message',
  'callback_query',
  'my_chat_member',
]

/**
 * What Telegram itself notes in a chat when a person has pinned a message or changed the chat's looks: nobody wrote to the bot,
 * and a payment screen that was just pinned must stay.
 */
export const NOTES = [
  'message:pinned_message',
  'message:message_auto_delete_timer_changed',
  'message:chat_background_set',
] as const

/** The chat that an update belongs to; updates without one share a place of their own. */
export function chatOf({ message, callback_query, my_chat_member }: Update): number {
  return (message ?? callback_query?.message ?? my_chat_member)?.chat.id ?? callback_query?.from.id ?? 0
}
