import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const root = new URL('../../', import.meta.url).pathname

export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface OperatorOptions {
  /** File of the database; without one the environment names none. */
  readonly database?: string
  readonly env?: Readonly<Record<string, string>>
  /** Working directory; the checkout unless said otherwise. */
  readonly cwd?: string
  readonly stdin?: string
}

/** An operator command as a process of its own, compiled by the global set-up as `npm run operator` does. */
export async function operator(
  args: readonly string[],
  { database, env, cwd = root, stdin = '' }: OperatorOptions = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [`${root}dist/cli/operator.js`, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...(database ? { DATABASE_URL: `file:${database}` } : {}), ...env },
  })
  child.stdin.end(stdin)
  return finished(child)
}

async function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, stdout: stdout(), stderr: stderr() }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}

/**
 * A second process that holds the write lock of a database until it is let go.
 *
 * @returns releases the lock and waits for the end of the process
 */
export async function lockFromOutside(path: string): Promise<() => Promise<void>> {
  const script = `
    const db = new (require('better-sqlite3'))(process.argv[1])
    db.exec('BEGIN IMMEDIATE')
    process.stdout.write('locked')
    process.stdin.on('data', () => { db.exec('ROLLBACK'); process.exit() })`
  const child = spawn(process.execPath, ['-e', script, path], { cwd: root })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.write('go')
    await once(child, 'close')
  }
}
