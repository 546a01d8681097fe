import type { Texts } from '../texts/index.ts'
import { action } from './action.ts'
import type { Button } from './screen.ts'

/** Leads to the home screen. */
export const HOME = action('home')

export const homeButton = (texts: Texts): Button => ({ text: texts.buttons.home, data: HOME.data() })
export const backButton = (texts: Texts, data: string): Button => ({ text: texts.buttons.back, data })

/**
 * Returns the button of one of several choices; the chosen one is marked.
 *
 * @param name part of the label that is shortened when the label is too long
 */
export function choiceButton(text: string, isChosen: boolean, data: string, name?: string): Button {
  return { text: isChosen ? `✓ ${text}` : text, data, name }
}

/** Deletes a message that stands beside the live screen. */
export const CLOSE = action('x')
/** Removes the buttons of such a message, and leaves the text. */
export const KEEP = action('xk')

export const closeButton = (texts: Texts): Button => ({
  text: texts.notices.buttons.close,
  data: CLOSE.data(),
})
/** The last row of a screen that stays. */
export const staysRow = (texts: Texts): Button[] => [homeButton(texts), keepButton(texts)]

export const keepButton = (texts: Texts): Button => ({ text: texts.notices.buttons.keep, data: KEEP.data() })
