import { html, type Html, lines } from '../texts/html.ts'
import type { Texts } from '../texts/index.ts'
import { HOME, homeButton } from './buttons.ts'
import type { Screen } from './screen.ts'

/** A dialogue waits for a message; Cancel leads back to where the person was. */
export function promptScreen(texts: Texts, text: Html, cancel: string = HOME.data()): Screen {
  return { text, buttons: [[{ text: texts.buttons.cancel, data: cancel }]] }
}

/** Something to read, and the way back to the menu. */
export function messageScreen(texts: Texts, text: Html): Screen {
  return { text, buttons: [[homeButton(texts)]] }
}

/** A screen's text below something that the person should know first. */
export function withNote(text: Html, note: string | undefined): Html {
  return note === undefined ? text : lines(html`⚠️ ${note}`, '', text)
}
