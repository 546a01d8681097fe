import { action, actionOf } from '../kit/action.ts'
import type { Label } from '../kit/columns.ts'
import { text } from '../kit/parameters.ts'
import type { Button, Screen } from '../kit/screen.ts'

const ANSWER = action('answer', { turn: text, answer: text })

/** A button that answers the question above it, instead of leading somewhere else. */
export interface AnswerButton extends Label {
  /** What {@link Question.choose} gets: without colons, at most 40 bytes. */
  readonly answer: string
  readonly style?: 'success' | 'danger' | 'primary'
}

/** The screen of a question. */
export interface Prompt extends Omit<Screen, 'buttons'> {
  readonly buttons: readonly (readonly (Button | AnswerButton)[])[]
}

/**
 * The screen as it is shown.
 *
 * @param turn names the question within all dialogues: a second press on a button must not answer the next question as well
 */
export function asScreen(prompt: Prompt, turn: string): Screen {
  const buttons = prompt.buttons.map((row) =>
    row.map((button): Button => {
      if (!('answer' in button)) return button
      const { answer, ...rest } = button
      return { ...rest, data: ANSWER.data({ turn, answer }) }
    }),
  )
  return { ...prompt, buttons }
}

/** Whether callback data is that of an {@link AnswerButton}. */
export function isAnswerButton(data: string | undefined): boolean {
  return data !== undefined && actionOf(data) === ANSWER.name
}

/** The answer of a pressed button; undefined when it belongs to another question. */
export function pressedAnswer(data: string, turn: string): string | undefined {
  const pressed = ANSWER.read(data)
  return pressed?.turn === turn ? pressed.answer : undefined
}
