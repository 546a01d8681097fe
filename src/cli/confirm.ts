import { createInterface } from 'node:readline/promises'
import { Refusal } from './refusal.ts'
import type { Session } from './run.ts'

/** Of commands that ask. */
export const YES_HELP = 'do not ask; scripts and --json are never asked'

/**
 * Asks whoever sits at a terminal whether it is meant.
 *
 * @param yes whether that was said already, by `--yes`
 * @throws Refusal when the answer is not yes
 */
export async function confirm(
  { interactive, stdin, stderr }: Session,
  question: string,
  yes = false,
): Promise<void> {
  if (yes || !interactive) return
  const terminal = createInterface({ input: stdin, output: stderr })
  // Ctrl-C and Ctrl-D answer nothing.
  const answer = await new Promise<string>((resolve) => {
    terminal.once('close', () => resolve(''))
    void terminal.question(`${question} [y/N] `).then(resolve, () => resolve(''))
  })
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('not_confirmed', 'Nothing was changed')
}
