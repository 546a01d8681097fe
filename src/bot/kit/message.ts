import type { Html } from '../texts/html.ts'
import type { Texts } from '../texts/index.ts'
import { closeButton, homeButton, keepButton } from './buttons.ts'
import type { Button, Screen } from './screen.ts'
import type { SentFile } from '../../core/facts/support-message.ts'

/** A message of its own beside the live screen. It arrives whole or not at all: what is long goes along as a file. */
export interface Message {
  readonly text: Html
  readonly buttons: Screen['buttons']
  readonly file?: { readonly name: string; readonly content: Buffer }
  /** A file that Telegram keeps, above the text. */
  readonly sent?: SentFile
}

/** A notice to somebody who is logged in: it leads somewhere, home, or away. */
export function noticeMessage(texts: Texts, text: Html, ...buttons: (Button | undefined)[]): Message {
  return {
    text,
    buttons: [...buttons.flatMap((button) => (button ? [[button]] : [])), ...noticeButtons(texts)],
  }
}

/** {@link noticeMessage} with something that is not to be lost, such as credentials: its last button leaves the text there. */
export function keptMessage(texts: Texts, text: Html, ...buttons: (Button | undefined)[]): Message {
  const rows = buttons.flatMap((button) => (button ? [[button]] : []))
  return { text, buttons: [...rows, [homeButton(texts), keepButton(texts)]] }
}

/** Buttons of every notice to somebody who is logged in: home and close. */
export function noticeButtons(texts: Texts): Screen['buttons'] {
  return [[homeButton(texts), closeButton(texts)]]
}
