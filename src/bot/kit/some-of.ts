import { html, type Html } from '../texts/html.ts'
import type { Texts } from '../texts/index.ts'

const SHOWN = 20

/** `a, b, … and 7 more`: a list that fits into a message whatever its length. */
export function someOf(items: readonly string[], texts: Texts): string {
  const shown = texts.list(items.slice(0, SHOWN))
  return items.length > SHOWN ? `${shown} ${texts.buy.more(items.length - SHOWN)}` : shown
}

/** Most lines of a list: more would push the buttons out of sight, and some hundred do not fit into a message. */
export const LISTED = 10

/** The first of many lines, and how many there are besides. */
export function listed({ buy }: Texts, all: readonly Html[]): Html[] {
  const shown = all.slice(0, LISTED)
  return all.length > LISTED ? [...shown, html`${buy.more(all.length - LISTED)}`] : shown
}
