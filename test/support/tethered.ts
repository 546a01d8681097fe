import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const root = fileURLToPath(new URL('../../', import.meta.url))
/** The Node option with which a process ends with this one. */
export const TETHER = `--import ${new URL('tether.mjs', import.meta.url).href}`

export interface ChildOptions {
  /** Working directory; the checkout unless said otherwise. */
  readonly cwd?: string | undefined
  /** Its environment variables; nothing is inherited but PATH and the mark of this run (left-behind.ts). */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/**
 * Starts a process that does not outlive this one, whatever ends this one: a pipe is closed then, on which every Node process
 * started here ends (tether.mjs).
 *
 * @param command a program, by path or found in PATH
 */
export function spawnTethered(
  command: string,
  args: readonly string[],
  { cwd = root, env }: ChildOptions = {},
): ChildProcessWithoutNullStreams {
  return spawn(command, args, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      TEST_RUN: process.env['TEST_RUN'],
      NODE_OPTIONS: TETHER,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // It leads a process group, which can be killed as a whole.
    detached: true,
  })
}
