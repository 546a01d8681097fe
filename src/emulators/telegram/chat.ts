import type { User } from 'grammy/types'
import type { FormattedText } from './entities.ts'
import type { StoredFile } from './files.ts'
import type { InlineKeyboard } from './keyboards.ts'
import type { EmulatedUser } from './types.ts'

/** A private chat with the bot, whose id is the id of the user; or a group, which has a negative id and its title as a name. */
export interface Chat {
  readonly user: EmulatedUser
  /** Whether the user ever wrote to the bot: before that the bot may not write. */
  readonly started: boolean
  /** Whether the user has blocked the bot, or the bot has left the group. */
  readonly blocked: boolean
  /** The supergroup that the group has become. */
  readonly movedTo?: number
  /** Topics in which nobody writes any more, by the message that opened them. */
  readonly endedTopics?: Readonly<Record<number, 'closed' | 'deleted'>>
  readonly messages: StoredMessage[]
}

export interface StoredMessage {
  readonly messageId: number
  readonly chatId: number
  readonly from: 'bot' | 'user'
  /** In a group: the user who wrote it. */
  readonly author?: number
  /** Unix seconds. */
  readonly date: number
  readonly editDate?: number
  /** Text of a text message, caption of a file. */
  readonly text: FormattedText
  readonly file?: StoredFile
  readonly keyboard: InlineKeyboard
  /** Settings that change nothing in what the emulator shows; an edit of them alone is not refused as "not modified". */
  readonly options: { readonly link_preview_options?: unknown; readonly show_caption_above_media?: boolean }
  /** False for messages that were sent with a reply keyboard or a forced reply, and for forwarded ones. */
  readonly editable: boolean
  readonly replyTo?: number
  /** In a forum: the topic, by the message that opened it. */
  readonly threadId?: number
  /** The message opened a topic of this name. */
  readonly topicName?: string
  readonly mediaGroupId?: string
  /** The service message `managed_bot_created`: the person has made this bot. */
  readonly createdBot?: User
  /** Id of the user, or the bot, who wrote the forwarded message, and when. */
  readonly forwarded?: { readonly from: 'bot' | number; readonly date: number }
}
