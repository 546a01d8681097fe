/**
 * What the emulator of Telegram offers to the web chat page and to the tests: the people's side of the chat.
 * The bot's side is the Bot API over HTTP, exactly as with Telegram.
 */

import type { Update } from 'grammy/types'

export interface EmulatedUser {
  /** Telegram user id; in a private chat also the chat id. */
  readonly id: number
  readonly firstName: string
  readonly username?: string
  /** IETF tag that Telegram reports as `language_code`. */
  readonly languageCode: string
  /** Whether a group has topics. */
  readonly forum?: boolean
}

export interface EmulatedButton {
  readonly text: string
  /** `callback`: press(); `copy`: the text is put on the clipboard; `url`: a link is opened. */
  readonly kind: 'callback' | 'copy' | 'url'
  /** The callback data, the text to copy, or the address. */
  readonly value: string
  /** Telegram's button styles since Bot API 9.4. */
  readonly style?: 'danger' | 'success' | 'primary'
}

/** A piece of formatted text; offsets and lengths in UTF-16 units, as in the Bot API. */
export interface EmulatedEntity {
  readonly type: string
  readonly offset: number
  readonly length: number
  readonly url?: string
}

export interface EmulatedFile {
  readonly kind: 'document' | 'photo'
  readonly fileId: string
  readonly fileName: string
  readonly mimeType: string
  readonly size: number
  /** Pixels, of photos only. */
  readonly width?: number
  readonly height?: number
}

/** One bubble of the chat as the phone shows it now (edits are already applied, deleted ones are gone). */
export interface EmulatedMessage {
  readonly messageId: number
  readonly from: 'bot' | 'user'
  /** Unix seconds. */
  readonly date: number
  readonly edited: boolean
  /** The topic in which it stands. */
  readonly threadId?: number
  /** Text of a text message, caption of a photo or document. */
  readonly text: string
  readonly entities: readonly EmulatedEntity[]
  readonly file?: EmulatedFile
  /** Rows of the inline keyboard under the message. */
  readonly keyboard: readonly (readonly EmulatedButton[])[]
}

/** What the bot answered to a pressed button. */
export interface CallbackAnswer {
  readonly text?: string
  readonly showAlert: boolean
}

export interface BotCommandEntry {
  readonly command: string
  readonly description: string
}

/** Something that changed in one chat; sent to every subscriber (web page, tests). */
export type ChatEvent =
  | { readonly type: 'message'; readonly chatId: number; readonly message: EmulatedMessage }
  | { readonly type: 'edit'; readonly chatId: number; readonly message: EmulatedMessage }
  | { readonly type: 'delete'; readonly chatId: number; readonly messageId: number }
  | { readonly type: 'typing'; readonly chatId: number }
  | {
      readonly type: 'answer'
      readonly chatId: number
      readonly callbackId: string
      readonly answer: CallbackAnswer
    }
  | { readonly type: 'commands'; readonly chatId: number; readonly commands: readonly BotCommandEntry[] }

/** One Bot API call that the server received, for assertions; the token is not recorded. */
export interface RecordedCall {
  readonly method: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** The error description when the call was refused. */
  readonly refused?: string
}

/** A fault to inject into the next matching Bot API calls. */
export interface Fault {
  /** Method name (case-insensitive); omitted: any method but getUpdates. */
  readonly method?: string
  /** Only calls to this chat. */
  readonly chatId?: number
  /** How many calls are hit; default 1. */
  readonly times?: number
  /**
   * `too-many-requests` answers 429 with `retry_after`; `server-error` 502; `drop-before` closes the socket without doing
   * anything; `drop-after` carries the call out and then closes the socket without an answer; `silence` does nothing, and leaves
   * the socket open; `refusal` answers what the field of that name says.
   */
  readonly kind: 'too-many-requests' | 'server-error' | 'drop-before' | 'drop-after' | 'silence' | 'refusal'
  /** Seconds, for `too-many-requests`; default 1. */
  readonly retryAfter?: number
  /** For `refusal`: HTTP status and text, prefix included. */
  readonly refusal?: { readonly code: number; readonly description: string }
}

export interface TelegramEmulator {
  readonly token: string
  readonly botUsername: string
  addUser(user: EmulatedUser): void
  users(): readonly EmulatedUser[]
  /** What the phone of this user shows now, oldest first. */
  messages(chatId: number): readonly EmulatedMessage[]
  /** The command menu that this user sees (scopes and languages resolved as Telegram does). */
  commands(chatId: number): readonly BotCommandEntry[]
  /**
   * The person types a message (commands are text that begins with "/"), perhaps in reply to another, or in a topic: that is a reply
   * to the message that opened it. Returns its message id.
   */
  send(chatId: number, text: string, replyTo?: number): number
  /** The person sends a file, or a picture as such. Returns its message id. */
  sendFile(
    chatId: number,
    file: {
      fileName: string
      mimeType: string
      content: Buffer
      caption?: string
      kind?: 'document' | 'photo'
    },
  ): number
  /**
   * The person presses a callback button that is on the current keyboard of that message; throws when it is not.
   * Resolves when the bot has answered the callback query; rejects after `timeoutMs` (default 15 000) without an answer.
   */
  press(chatId: number, messageId: number, data: string, timeoutMs?: number): Promise<CallbackAnswer>
  /** Like `press`, but without the check that the button is still there: an old client, or a forged press. */
  pressStale(chatId: number, messageId: number, data: string, timeoutMs?: number): Promise<CallbackAnswer>
  /** All pending callback queries expire: answering them is refused as Telegram refuses it. */
  expireCallbacks(): void
  /** The person blocks or unblocks the bot (my_chat_member update; sends to a blocking chat answer 403). */
  setBlocked(chatId: number, blocked: boolean): void
  isBlocked(chatId: number): boolean
  /** The person adds the bot to a group, which has a negative id. */
  addToGroup(group: { id: number; title: string; forum?: boolean }, userId: number): void
  /** The person writes into a group in which the bot is, in reply and topics as {@link send}. Returns the message id. */
  sendInGroup(groupId: number, userId: number, text: string, replyTo?: number): number
  /** The group becomes a supergroup, with another id, in which the bot is, too. */
  upgradeGroup(groupId: number, supergroupId: number): void
  /** The person opens a topic, in a forum or in the private chat with the bot. Returns the id of its thread. */
  openTopic(chatId: number, userId: number, name: string): number
  /** Nobody but administrators writes in the topic any more, or it is gone with its messages. */
  endTopic(chatId: number, threadId: number, ended: 'closed' | 'deleted'): void
  /** Any other update, in Telegram's own words: stickers, edited messages and all else that the phones here cannot do. */
  receive(content: Omit<Update, 'update_id'>): void
  /** The bytes of a file that the bot or the person sent. */
  file(fileId: string): Promise<{ content: Buffer; fileName: string; mimeType: string } | undefined>
  /** From now on `getFile` answers with paths in this folder, into which it copies the files, as a server with `--local` does. */
  serveLocally(folder: string): void
  inject(fault: Fault): void
  /** Takes all injected faults back. */
  clearFaults(): void
  calls(): readonly RecordedCall[]
  clearCalls(): void
  subscribe(listener: (event: ChatEvent) => void): () => void
}
