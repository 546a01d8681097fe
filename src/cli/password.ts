import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Refusal } from '../operator/refusal.ts'
import type { Session } from './run.ts'

/** Returns the password given in an option; for `-` the one that is typed or piped in. */
export function passwordFrom(session: Session, option: string): Promise<string> {
  return option === '-' ? typedSecret(session, 'Password') : Promise.resolve(option)
}

/** Returns the secret of a supplier's API given in an option; for `-` the one that is typed or piped in. */
export function secretFrom(session: Session, option: string): Promise<string> {
  return option === '-' ? typedSecret(session, 'Secret') : Promise.resolve(option)
}

/** Returns the address of an exit given in an option; for `-` the one that is typed or piped in. */
export function exitUrlFrom(session: Session, option: string): Promise<string> {
  return option === '-' ? typedSecret(session, 'Address') : Promise.resolve(option)
}

/** Warns of the secret of a supplier's API on the command line: npm has logged it before this program began. */
export function secretWarnings(option?: string): string[] {
  return option === undefined || option === '-'
    ? []
    : ['this secret stays in the log files of npm and in the history of the shell; --secret - asks for it']
}

/** As {@link secretWarnings}, for the address of an exit. */
export function exitUrlWarnings(option?: string): string[] {
  return option?.includes('@')
    ? ['this password stays in the log files of npm and in the history of the shell; --url - asks for it']
    : []
}

/** Reads a password or secret from standard input; at a terminal, asks for it and does not show it. */
export async function typedSecret(
  { stdin, stderr }: Session,
  what: 'Password' | 'Secret' | 'Address',
): Promise<string> {
  const terminal = 'isTTY' in stdin && stdin.isTTY === true
  const lines = createInterface({
    input: stdin,
    output: terminal ? discardingStream() : undefined,
    terminal,
    crlfDelay: Infinity,
  })
  // In terminal mode, Ctrl-C does not end the process.
  lines.once('SIGINT', () => lines.close())
  if (terminal) stderr.write(`${what}: `)
  try {
    for await (const line of lines) {
      // A byte order mark, or invalid UTF-8: such a password could not be typed at a log-in.
      if (/[\uFEFF\uFFFD]/.test(line))
        throw new Refusal(
          'validation_error',
          `The ${what.toLowerCase()} on standard input is not plain UTF-8`,
        )
      return line
    }
  } finally {
    lines.close()
    if (terminal) stderr.write('\n')
  }
  throw new Refusal('validation_error', `There was no ${what.toLowerCase()} on standard input`)
}

function discardingStream(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
