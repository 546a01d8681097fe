import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { atTheEnd } from './clean-up.ts'
import { type ChildOptions, spawnTethered } from './tethered.ts'

/**
 * Starts a process, which is killed when the test ends, with whatever it has started itself. Nothing of it is left either
 * when the test's own process is killed (tethered.ts).
 *
 * @param command a program, by path or found in PATH
 */
export function startChild(
  command: string,
  args: readonly string[],
  options?: ChildOptions,
): ChildProcessWithoutNullStreams {
  const child = spawnTethered(command, args, options)
  atTheEnd(() => endChild(child, 'SIGKILL'))
  return child
}

/**
 * Sends a signal to a process and waits for its end. SIGKILL goes to its whole process group.
 *
 * @returns the exit status; null when a signal ended it
 */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit') as Promise<[number | null]>
  process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
  return (await exited)[0]
}

export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Waits for the end of a process and of its output. */
export async function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, stdout: stdout(), stderr: stderr() }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}
