import type { Texts } from '../texts/index.ts'

const SHOWN = 20

/** `a, b, … and 7 more`: a list that fits into a message whatever its length. */
export function someOf(items: readonly string[], texts: Texts): string {
  const shown = items.slice(0, SHOWN).join(', ')
  return items.length > SHOWN ? `${shown} ${texts.buy.more(items.length - SHOWN)}` : shown
}
