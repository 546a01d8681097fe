import { BotError, GrammyError, HttpError } from 'grammy'

/**
 * What a refusal of Telegram says:
 * - `busy` out of order, or too many requests: the same call may succeed later
 * - `token` the bot is not known, or is logged out
 * - `chat` nothing can be written to the chat: the person is gone, or the bot was blocked, removed or muted there
 * - `topic` the topic is closed or gone, or the chat has none
 * - `unchanged` the message shows that already
 * - `message` the message is gone, or cannot be changed into this
 * - `other` this call would be refused each time: what it says is wrong, or a right is missing
 */
type Refusal = 'busy' | 'token' | 'chat' | 'topic' | 'unchanged' | 'message' | 'other'

/**
 * Refusals by the texts of the Bot API, which has no codes for them, and of the server behind it, which has (`TOPIC_CLOSED`). The first
 * one that matches counts; rights to send a file, or to make a topic, are no rights to write.
 */
const BY_TEXT: readonly (readonly [Refusal, RegExp])[] = [
  ['unchanged', /message is not modified|MESSAGE_NOT_MODIFIED/],
  ['message', /message to edit not found|message can't be edited|there is no \w+ in the message to edit/],
  ['message', /MESSAGE_(?:ID_INVALID|EDIT_TIME_EXPIRED|AUTHOR_REQUIRED)/],
  [
    'topic',
    /message thread|TOPIC_(?:CLOSED|DELETED|ID_INVALID)|topic (?:is )?(?:closed|deleted|not found)|not a forum/i,
  ],
  [
    'chat',
    /(?:chat|user) not found|user is deactivated|group chat was (?:deleted|deactivated)|chat was deleted/,
  ],
  ['chat', /bot was (?:blocked|kicked)|bot is not a member|can't initiate conversation|USER_IS_BLOCKED/],
  ['chat', /(?:PEER|CHAT|USER)_ID_INVALID|INPUT_USER_DEACTIVATED|CHANNEL_PRIVATE|CHAT_FORBIDDEN/],
  ['chat', /no rights to send a message|not enough rights to send (?:text )?messages/],
  ['chat', /CHAT_(?:WRITE|SEND_PLAIN|GUEST_SEND)_FORBIDDEN|CHAT_RESTRICTED|CHAT_ADMIN_REQUIRED/],
  ['chat', /need administrator rights in the channel/],
]

/** What an error says; undefined when it is no refusal of Telegram. */
export function refusalIn(error: unknown): Refusal | undefined {
  return error instanceof GrammyError ? refusalOf(error) : undefined
}

/** What a refusal says. The only place that reads Telegram's words. */
export function refusalOf({
  error_code: code,
  description,
}: Pick<GrammyError, 'error_code' | 'description'>): Refusal {
  if (code === 429 || code >= 500) return 'busy'
  if (code === 401 || code === 404) return 'token'
  const [found] = BY_TEXT.find(([, text]) => text.test(description)) ?? []
  return found ?? (code === 403 ? 'chat' : 'other')
}

/** Whether Telegram cannot be reached, is out of order or asks for a pause: the same call may succeed later. */
export function isOutage(error: unknown): boolean {
  return error instanceof HttpError || refusalIn(error) === 'busy'
}

/** Whether an error comes from Telegram or the network, and not from the code. */
export function isTelegramError(error: unknown): boolean {
  return error instanceof GrammyError || error instanceof HttpError
}

/** What a log may show of an error: neither payloads (what people typed) nor addresses (which hold the token). */
export function toLoggable(error: unknown): unknown {
  if (error instanceof BotError) return toLoggable(error.error)
  if (error instanceof GrammyError) return { method: error.method, description: error.description }
  if (error instanceof HttpError)
    return { message: 'Telegram could not be reached', code: codeOf(error.error) }
  return error
}

/** Returns a code such as ENOTFOUND or ECONNREFUSED. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

const PAUSE_MS = { first: 500, largest: 15_000 }

/**
 * Pause before the next attempt, in milliseconds: what Telegram asks for, else longer with each failure.
 *
 * @param failures in a row, this one included
 */
export function pauseAfter(error: unknown, failures: number): number {
  const asked = error instanceof GrammyError ? error.parameters.retry_after : undefined
  return asked === undefined ? Math.min(PAUSE_MS.first * 2 ** (failures - 1), PAUSE_MS.largest) : asked * 1000
}
