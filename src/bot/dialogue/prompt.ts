import { pack, unpack } from '../kit/callback-data.ts'
import type { Button, Screen } from '../kit/screen.ts'

const ANSWER = 'answer'

/** A button that answers the question above it, instead of leading somewhere else. */
export interface AnswerButton {
  readonly text: string
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
      return { ...rest, data: pack(ANSWER, turn, answer) }
    }),
  )
  return { ...prompt, buttons }
}

/** Whether callback data is that of an {@link AnswerButton}. */
export function isAnswerButton(data: string | undefined): boolean {
  return data !== undefined && unpack(data)[0] === ANSWER
}

/** The answer of a pressed button; undefined when it belongs to another question. */
export function pressedAnswer(data: string, turn: string): string | undefined {
  const [action, ofTurn, answer] = unpack(data)
  return action === ANSWER && ofTurn === turn ? answer : undefined
}
