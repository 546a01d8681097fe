import { z } from 'zod'

/**
 * Identifiers as people and programs send them (rules 1.22). They are names made of digits, not quantities: how large one is says
 * nothing, and neither separators, decimals nor rounding belong to it.
 */

/** Ids of Telegram have at most 52 significant bits (Bot API, `User` and `Chat`). */
export const MAX_TELEGRAM_ID = 2 ** 52 - 1
/** The largest id that is a whole number in JSON for every client. */
export const MAX_RECORD_ID = Number.MAX_SAFE_INTEGER

const DIGITS = /^\d{1,16}$/
const CHAT = /^-?[1-9]\d{0,15}$/

/**
 * Parses the id of a record, such as an account, an order or a job: plain digits.
 *
 * @returns undefined for anything else, which a use case treats like an id that does not exist
 */
export function recordId(text: string): number | undefined {
  return DIGITS.test(text) && Number(text) <= MAX_RECORD_ID ? Number(text) : undefined
}

/**
 * Parses the id of a Telegram chat; those of groups and channels are negative.
 *
 * @returns undefined for anything else
 */
export function telegramChatId(text: string): number | undefined {
  return CHAT.test(text) && Math.abs(Number(text)) <= MAX_TELEGRAM_ID ? Number(text) : undefined
}

/**
 * Parses the id of a Telegram user, which is also that of the private chat.
 *
 * @returns undefined for anything else
 */
export function telegramUserId(text: string): number | undefined {
  const id = telegramChatId(text)
  return id !== undefined && id > 0 ? id : undefined
}

/** The number of a proxy. */
export const InstanceNo = z.string().min(1).max(64)

/** Returns the address that a button opens for a Telegram username or an address; undefined for what is neither. */
export function supportAddress(text: string): string | undefined {
  const [, username] = /^(?:@|(?:https:\/\/)?t\.me\/)(\w{5,32})$/.exec(text) ?? []
  if (username) return `https://t.me/${username}`
  return /^(https?|tg):\/\//.test(text) && URL.canParse(text) ? text : undefined
}

/** Ids of Telegram have at most 52 significant bits (Bot API: Chat); from here on, numbers stand for chats with the bots of agents. */
export const FIRST_OWN_CHAT = 2 ** 52

/** How @BotFather writes the token of a bot: its id at Telegram, and characters of base64url. */
const BOT_TOKEN = /^(\d{1,16}):[\w-]{30,}$/

/** Returns the id of the bot whose token a text is; undefined for what is no token. */
export function botIdIn(token: string): number | undefined {
  const [, id] = BOT_TOKEN.exec(token) ?? []
  return id === undefined ? undefined : Number(id)
}
