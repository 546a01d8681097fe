import { type DestinationStream, type Logger, pino } from 'pino'
import { redactor } from './redact.ts'

/** Fields that may hold a secret, wherever they turn up. */
const SECRET_FIELDS = ['password', 'token', 'authorization', 'secret', 'jwtSecret', 'connection_string']

/** What JSON may hold as it is, but a terminal obeys (C1 controls) or a reader takes for the end of a line. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g
const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * One JSON line per event on stdout.
 *
 * @param secrets texts that must never be printed, such as the bot token, which Telegram's addresses contain
 */
export function createLogger(
  level: string,
  secrets: readonly string[] = [],
  destination?: DestinationStream,
): Logger {
  const redact = redactor(secrets)
  const clean = (line: string) => redact(line).replace(CONTROLS, escape)
  return pino(
    {
      level,
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
      hooks: { streamWrite: clean },
    },
    destination ?? standardOutput(),
  )
}

/**
 * Standard output, written in the background. While it takes nothing, because nobody reads it any more or its disk is full,
 * lines are lost: that is no reason to stop, nor to fill the memory.
 */
function standardOutput(): DestinationStream {
  let output = open()
  function open() {
    const opened = pino.destination({ dest: 1, sync: false })
    opened.once('error', () => {
      // With what it could not write, it would keep the process from ending.
      opened.destroy()
      output = open()
    })
    return opened
  }
  return { write: (line) => void output.write(line) }
}
