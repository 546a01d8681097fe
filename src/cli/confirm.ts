import { createInterface } from 'node:readline/promises'
import { Refusal } from '../operator/refusal.ts'
import type { Session } from './run.ts'

/** Help for the option `--yes` of commands that ask for confirmation. */
export const YES_HELP = 'do not ask; scripts and --json are never asked'

/**
 * Asks for confirmation at an interactive terminal.
 *
 * @param yes whether `--yes` was given, which skips the question
 * @throws Refusal when the answer is not yes
 */
export async function confirm(
  { interactive, stdin, stderr }: Session,
  question: string,
  yes = false,
): Promise<void> {
  if (yes || !interactive) return
  const terminal = createInterface({ input: stdin, output: stderr })
  // Ctrl-C and Ctrl-D count as an empty answer.
  const answer = await new Promise<string>((resolve) => {
    terminal.once('close', () => resolve(''))
    void terminal.question(`${question} [y/N] `).then(resolve, () => resolve(''))
  })
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('not_confirmed', 'Nothing was changed')
}
