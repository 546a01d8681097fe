import type { InlineKeyboardButton } from 'grammy/types'
import { badRequest, notImplemented } from './api-error.ts'
import { countCharacters } from './characters.ts'
import type { EmulatedButton } from './types.ts'
import { checkUrl } from './urls.ts'

export type InlineKeyboard = readonly (readonly InlineKeyboardButton[])[]

/** `reply_markup` after the table check: one of the four kinds, told apart by their fields. */
export interface ReplyMarkupInput {
  readonly inline_keyboard?: readonly (readonly ButtonInput[])[]
  readonly keyboard?: unknown
  readonly remove_keyboard?: boolean
  readonly force_reply?: boolean
}

interface ButtonInput {
  readonly text: string
  readonly style?: string
  readonly url?: string
  readonly callback_data?: string
  readonly copy_text?: { readonly text: string }
  readonly web_app?: { readonly url: string }
}

/** Fields of a button other than its action. */
const APPEARANCE = new Set(['text', 'style', 'icon_custom_emoji_id'])
const STYLES = new Set(['danger', 'success', 'primary'])
/** Telegram's server gives no number; about a hundred buttons are known to pass. */
const MAX_BUTTONS = 100
const MAX_BUTTONS_IN_ROW = 12

/**
 * Reads the inline keyboard of a message; empty for no keyboard. Reply keyboards are accepted, but belong to no message.
 *
 * @throws ApiError with Telegram's text for a button that Telegram refuses
 */
export function readInlineKeyboard(markup: ReplyMarkupInput | undefined): InlineKeyboard {
  const rows = (markup?.inline_keyboard ?? [])
    .map((row) => row.map(readButton))
    .filter((row) => row.length > 0)
  if (rows.flat().length > MAX_BUTTONS || rows.some((row) => row.length > MAX_BUTTONS_IN_ROW)) {
    throw badRequest('reply markup is too long')
  }
  return rows
}

/** Whether a message with this markup can be edited later: Telegram refuses it for reply keyboards and forced replies. */
export function allowsEditing(markup: ReplyMarkupInput | undefined): boolean {
  return markup === undefined || markup.inline_keyboard !== undefined
}

/** Returns the buttons as the phone shows them. */
export function toEmulatedButtons(keyboard: InlineKeyboard): EmulatedButton[][] {
  return keyboard.map((row) => row.map(toEmulatedButton))
}

function toEmulatedButton(button: InlineKeyboardButton): EmulatedButton {
  const appearance = { text: button.text, ...(button.style !== undefined && { style: button.style }) }
  if ('callback_data' in button) return { ...appearance, kind: 'callback', value: button.callback_data }
  if ('copy_text' in button) return { ...appearance, kind: 'copy', value: button.copy_text.text }
  if ('url' in button) return { ...appearance, kind: 'url', value: button.url }
  throw new Error(`readButton let a button pass that the phone cannot show: ${JSON.stringify(button)}`)
}

function readButton(button: ButtonInput): InlineKeyboardButton {
  const fail = (reason: string) => badRequest(`can't parse inline keyboard button: ${reason}`)
  if (button.text === '') throw fail('Text must be non-empty (Telegram drops the button)')
  const style = button.style?.toLowerCase()
  if (style !== undefined && !STYLES.has(style)) throw fail('invalid button style specified')
  const actions = Object.entries(button).filter(([field, value]) => !APPEARANCE.has(field) && value !== '')
  if (actions.length === 0) throw fail('Text buttons are unallowed in the inline keyboard')
  if (actions.length > 1) throw fail('exactly one action expected (Telegram picks one)')
  const appearance = {
    text: button.text,
    ...(style !== undefined && { style: style as 'danger' | 'success' | 'primary' }),
  }
  if (button.url) return { ...appearance, url: checkButtonUrl('URL', button.url) }
  if (button.callback_data) {
    if (Buffer.byteLength(button.callback_data) > 64) throw badRequest('BUTTON_DATA_INVALID')
    return { ...appearance, callback_data: button.callback_data }
  }
  if (button.copy_text) {
    const length = countCharacters(button.copy_text.text)
    if (length < 1 || length > 256) throw badRequest('BUTTON_COPY_TEXT_INVALID')
    return { ...appearance, copy_text: { text: button.copy_text.text } }
  }
  if ('pay' in button || 'callback_game' in button) throw badRequest('BUTTON_TYPE_INVALID')
  if (button.web_app) checkButtonUrl('Web App URL', button.web_app.url, { httpsOnly: true })
  throw notImplemented(`a button with ${actions.map(([field]) => field).join()}`)
}

function checkButtonUrl(name: string, url: string, options?: { httpsOnly?: boolean }): string {
  try {
    return checkUrl(url, options)
  } catch (error) {
    throw badRequest(`inline keyboard button ${name} '${url}' is invalid: ${(error as Error).message}`)
  }
}
