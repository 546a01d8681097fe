import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Refusal } from '../operator/refusal.ts'
import type { Session } from './run.ts'

/** Reads a password or secret from standard input; at a terminal, asks for it and does not show it. */
export async function typedSecret(
  { stdin, stderr }: Session,
  what: 'Password' | 'Secret' | 'Address' | 'Link',
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
