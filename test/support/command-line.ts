import { PassThrough, Readable } from 'node:stream'
import { createProgram } from '../../src/cli/program.ts'
import type { Host } from '../../src/cli/run.ts'
import type { DriverKinds } from '../../src/core/supply/driver.ts'
import type { Finished } from './children.ts'
import { leadingToDatabase } from './postgres.ts'
import { JWT_SECRET } from './service.ts'

interface CommandLineOptions {
  /** File of the database, or a URL on PostgreSQL. */
  readonly database: string
  /** The kinds of suppliers; by default all that there are. */
  readonly drivers?: Partial<DriverKinds>
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Whether somebody sits at a terminal. */
  readonly terminal?: boolean
}

/**
 * An operator command in this process, so that it reaches suppliers that the test made. It decrypts what the service of the test has
 * encrypted.
 */
export async function command(
  args: readonly string[],
  { database, drivers, env, stdin = '', terminal = false }: CommandLineOptions,
): Promise<Finished> {
  const output = { stdout: '', stderr: '' }
  const written = (name: keyof typeof output) => {
    const stream = new PassThrough()
    stream.on('data', (part: Buffer) => (output[name] += part.toString()))
    return Object.assign(stream, { isTTY: terminal })
  }
  const host = {
    argv: ['node', 'operator', ...args],
    env: { ...leadingToDatabase(database), SECRETS_KEY: JWT_SECRET, ...env },
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY: terminal }),
    stdout: written('stdout'),
    stderr: written('stderr'),
    exitCode: undefined,
  } as unknown as Host
  await createProgram(host, drivers).parseAsync(host.argv)
  return { status: Number(host.exitCode ?? 0), ...output }
}
