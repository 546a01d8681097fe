import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Refusal } from './refusal.ts'
import type { Session } from './run.ts'

export const PASSWORD_HELP =
  '"-" asks for it, or reads it from standard input; one written here stays in the log files of npm. 6-50 characters'

/** The password that an option names; for `-` the one that is typed or piped in. */
export function passwordFrom(session: Session, option: string): Promise<string> {
  return option === '-' ? typedPassword(session) : Promise.resolve(option)
}

/** What to say about a password that was written on the command line: npm has noted it before this program began. */
export function passwordWarnings(option?: string): string[] {
  return option === undefined || option === '-'
    ? []
    : [
        'this password stays in the log files of npm and in the history of the shell; --password - asks for it',
      ]
}

/** Asks whoever sits at a terminal, and does not show there what is typed. */
async function typedPassword({ stdin, stderr }: Session): Promise<string> {
  const terminal = 'isTTY' in stdin && stdin.isTTY === true
  const lines = createInterface({
    input: stdin,
    output: terminal ? unseen() : undefined,
    terminal,
    crlfDelay: Infinity,
  })
  // With a terminal, Ctrl-C is a key like others.
  lines.once('SIGINT', () => lines.close())
  if (terminal) stderr.write('Password: ')
  try {
    for await (const line of lines) {
      // A byte order mark, or what was not UTF-8: nobody could type this password again.
      if (/[\uFEFF\uFFFD]/.test(line))
        throw new Refusal('validation_error', 'The password on standard input is not plain UTF-8')
      return line
    }
  } finally {
    lines.close()
    if (terminal) stderr.write('\n')
  }
  throw new Refusal('validation_error', 'There was no password on standard input')
}

function unseen(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
