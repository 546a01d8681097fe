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
  /** A service message: the person has made this bot, which the bot of the chat manages. */
  readonly createdBot?: { readonly username: string; readonly name: string }
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

/** What changed in the chat of one of the bots; or the list of the bots did, or what one is called. */
export type NetworkEvent = (ChatEvent & { readonly bot: string }) | { readonly type: 'bots' }

/** One Bot API call that the server received, for assertions; the token is not recorded. */
export interface RecordedCall {
  readonly method: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** The error description when the call was refused. */
  readonly refused?: string
}

/** A fault to inject into the next matching Bot API calls. */
export interface Fault {
  /**
   * Method name (case-insensitive); omitted: any method but getUpdates, for `unauthorized` any method at all, for `conflict`
   * getUpdates.
   */
  readonly method?: string
  /** Only calls to this chat. */
  readonly chatId?: number
  /** How many calls are hit, Infinity until the faults are cleared; default 1. */
  readonly times?: number
  /**
   * `too-many-requests` answers 429 with `retry_after`; `server-error` 502, or the status in `code`; `unauthorized` 401, as for a
   * token that Telegram does not know; `conflict` 409, as when another program polls with this token: it ends a request that waits
   * for updates at once, as its first hit; `drop-before` closes the socket without doing
   * anything; `drop-after` carries the call out and then closes the socket without an answer; `silence` does nothing, and leaves
   * the socket open; `refusal` answers what the field of that name says.
   */
  readonly kind:
    | 'too-many-requests'
    | 'server-error'
    | 'unauthorized'
    | 'conflict'
    | 'drop-before'
    | 'drop-after'
    | 'silence'
    | 'refusal'
  /** HTTP status, for `server-error`. */
  readonly code?: 500 | 502 | 503 | 504
  /** Seconds, for `too-many-requests`; default 1. */
  readonly retryAfter?: number
  /** For `refusal`: HTTP status and text, prefix included. */
  readonly refusal?: { readonly code: number; readonly description: string }
}

/** What a bot tells about itself in one language, by language; the empty language is the default. */
export type BotTexts = Readonly<
  Record<'name' | 'description' | 'shortDescription', Readonly<Record<string, string>>>
>

/** What Telegram knows about a bot, other than its chats. */
export interface BotAbout {
  /** The id of the bot among Telegram's users: the number in its token. */
  readonly id: number
  readonly username: string
  /** The one that Telegram accepts now. */
  readonly token: string
  /** The person who may do with the bot what @BotFather offers. */
  readonly ownerId?: number
  /** The person who made it, who stays the same when the bot gets another owner. */
  readonly creatorId?: number
  /** The bot through which it was made, and which may ask for its token. */
  readonly managerId?: number
  /** Whether it may manage bots: its owner has switched this on in @BotFather. */
  readonly canManageBots: boolean
  readonly texts: BotTexts
  /** The profile picture, in base64. */
  readonly picture?: { readonly mimeType: string; readonly content: string } | undefined
}

/** One bot with its chats, updates and calls, and what people do with it on their phones. */
export interface EmulatedBot {
  readonly token: string
  readonly botUsername: string
  about(): BotAbout
  /** The owner lets the bot manage others in @BotFather, or no longer: no method of the Bot API does it. */
  setCanManageBots(can: boolean): void
  /**
   * The owner revokes the token in @BotFather: the old one answers 401 from now on, a request that waits for updates too, and the
   * webhook is gone with it. The manager gets `managed_bot`. Returns the new token.
   */
  revokeToken(): string
  /** The owner gives the bot to somebody else in @BotFather; the token stays. The manager gets `managed_bot`. */
  transferTo(userId: number): void
  /** The owner deletes the bot in @BotFather: its token answers 401, its username is free, and nobody is told. */
  deleteBot(): void
  /** Adds a person to Telegram, for all bots, or changes the profile; a negative id adds a group that only this bot knows. */
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
  /** Whether the person ever wrote to the bot: before that it may not write. */
  isStarted(chatId: number): boolean
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

/** What the dialog of a link to `t.me/newbot` suggests, or what the person has made of it. */
export interface NewBot {
  /** Username of the bot that will manage the new one. */
  readonly manager: string
  readonly username: string
  readonly name: string
}

/** Telegram as a whole. Its own members of {@link EmulatedBot} are those of the first bot. */
export interface TelegramEmulator extends EmulatedBot {
  /** All bots that there are, the first one first. */
  bots(): readonly EmulatedBot[]
  /** @throws Error when no bot has this username */
  bot(username: string): EmulatedBot
  /** Somebody makes a bot in @BotFather. */
  addBot(bot: {
    readonly username: string
    /** Default: the username. */
    readonly name?: string
    readonly ownerId?: number
    /** Default: a new one, of the form that Telegram's have. */
    readonly token?: string
  }): EmulatedBot
  /**
   * The person opens `https://t.me/USERNAME?start=PAYLOAD`, unblocks the bot if need be, and presses Start; without a payload only
   * where the bot was never started. Returns the bot.
   */
  followLink(userId: number, link: string): EmulatedBot
  /**
   * Reads what the dialog of `https://t.me/newbot/MANAGER/SUGGESTED_USERNAME?name=NAME` shows.
   *
   * @throws Error for another link, and for a bot that may not manage bots
   */
  newBotDialog(link: string): NewBot
  /**
   * The person confirms the dialog, and owns a new bot. The manager gets the update `managed_bot`; and, where the dialog came from a
   * keyboard button instead of a link, before it the service message `managed_bot_created`.
   *
   * @throws Error in Telegram's words, such as `USERNAME_OCCUPIED`
   */
  createManagedBot(userId: number, bot: NewBot, from?: 'link' | 'button'): EmulatedBot
  /** Calls the listener with what changes in the chats of all bots, also those that are made later. */
  subscribeToAll(listener: (event: NetworkEvent) => void): () => void
}
