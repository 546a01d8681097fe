import type { InlineKeyboardButton } from 'grammy/types'
import type { Followed } from '../../core/chats/followed.ts'
import { html, type Html, lines } from '../texts/html.ts'
import { type Fitted, fitted, type Label } from './columns.ts'
import { marked } from './mark.ts'

/** What a chat shows: state in, text and buttons out. Plain data, so that a dialogue can store it. */
export interface Screen {
  readonly text: Html
  readonly buttons: readonly (readonly Button[])[]
  /** A PNG picture above the text, base64; the text is its caption then: at most 1024 characters (Bot API). */
  readonly photo?: string
  /** What the screen follows: it is redrawn when that changes. */
  readonly follows?: Followed
  /** Whether it holds something to keep, such as credentials or a link: other screens come below it, not in its place (rules 17.8). */
  readonly stays?: boolean
  /** The question that a typed message answers here, although buttons offer the usual answers: its conversation begins with the screen. */
  readonly takes?: Taken
}

/** A question by its name, and what it must know: JSON. */
export interface Taken {
  readonly question: string
  readonly state: unknown
}

export type Button = Label &
  (
    | { readonly data: string; readonly style?: 'success' | 'danger' | 'primary' }
    /** Puts the text on the clipboard; 1-256 characters (Bot API). */
    | { readonly copy: string }
    /** Opens an address. */
    | { readonly url: string }
  )

export const MAX_COPY = 256

/**
 * The screen's buttons as the Bot API wants them, laid out for a phone; rows that turned out empty are left out.
 *
 * @param account the account for which they are
 */
export function keyboard(buttons: Screen['buttons'], account?: number): InlineKeyboardButton[][] {
  return layoutOf(buttons).rows.map((row) =>
    row.map((button): InlineKeyboardButton => {
      if ('copy' in button) return { text: button.text, copy_text: { text: button.copy } }
      if ('url' in button) return { text: button.text, url: button.url }
      return {
        text: button.text,
        callback_data: marked(button.data, account),
        ...(button.style ? { style: button.style } : {}),
      }
    }),
  )
}

/** The screen's text, and below it in full what would look the same on its buttons (rules 18.1). */
export function shownText({ text, buttons }: Pick<Screen, 'text' | 'buttons'>): Html {
  const { alike } = layoutOf(buttons)
  return alike.length === 0 ? text : lines(text, '', ...alike.map((label, at) => html`${at + 1}. ${label}`))
}

/** Layouts of the buttons of screens, cached: each is needed several times while the screen is shown. */
const layouts = new WeakMap<Screen['buttons'], Fitted<Button>>()

function layoutOf(buttons: Screen['buttons']): Fitted<Button> {
  const layout = layouts.get(buttons) ?? fitted(buttons)
  layouts.set(buttons, layout)
  return layout
}

/** Buttons in rows of `width`. */
export function grid<Item>(items: readonly Item[], width: number): Item[][] {
  const rows: Item[][] = []
  for (let i = 0; i < items.length; i += width) rows.push(items.slice(i, i + width))
  return rows
}
