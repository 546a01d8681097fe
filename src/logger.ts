import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { z } from 'zod'
import { redactor } from './redact.ts'
import { withSources } from './with-sources.ts'

/** `LOG_LEVEL` */
export const LogLevel = z.enum(
  ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  'must be a level such as info or debug',
)
/** `LOG_FORMAT`. `pino`: milliseconds and numbers of levels, as pino's tools read them. `iso`: times of ISO 8601 and names of levels. */
export const LogFormat = z.enum(['pino', 'iso'], 'must be pino or iso').default('pino')

export interface LogSettings {
  readonly level: z.output<typeof LogLevel>
  readonly format: z.output<typeof LogFormat>
}

/** Fields that may hold a secret, wherever they turn up. */
const SECRET_FIELDS = ['password', 'token', 'authorization', 'secret', 'jwtSecret', 'connection_string']

/** Characters that JSON leaves unescaped, but a terminal obeys (C1 controls) or a reader takes for the end of a line. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g
const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The time in ms in which an error that repeats itself is logged once; after it a second line says how often it came again. */
const REPEAT_MS = 60_000
/** Errors that are tracked at a time; further ones are all logged. */
const MAX_REPEATED = 1_000

/**
 * Makes a logger that writes one JSON line per event to stdout, but for errors that repeat themselves (same text, same message).
 *
 * @param secrets texts that must never be printed, such as the bot token, which Telegram's addresses contain
 */
export function createLogger(
  { level, format }: LogSettings,
  secrets: readonly string[] = [],
  destination?: DestinationStream,
): Logger {
  const redact = redactor(secrets)
  const clean = (line: string) =>
    redact(line.includes('"stack":') ? withSources(line) : line).replace(CONTROLS, escape)
  return pino(
    {
      level,
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
      ...(format === 'iso' && {
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (name: string) => ({ level: name }) },
      }),
      hooks: { streamWrite: clean, logMethod: foldingRepeats() },
    },
    destination ?? standardOutput(),
  )
}

/** Folds errors that repeat: a fault that each request or round meets would otherwise log a stack each time. */
function foldingRepeats() {
  const repeats = new Map<string, number>()
  return function (this: Logger, args: Parameters<LogFn>, log: LogFn, level: number): void {
    const [about, text] = args as [unknown, unknown]
    const error = about instanceof Error ? about : (about as { err?: unknown } | undefined)?.err
    if (level !== pino.levels.values['error'] || !(error instanceof Error)) return log.apply(this, args)
    const key = `${String(text)} ${error.message}`
    const times = repeats.get(key)
    if (times !== undefined) return void repeats.set(key, times + 1)
    log.apply(this, args)
    if (repeats.size >= MAX_REPEATED) return
    repeats.set(key, 0)
    setTimeout(() => {
      const again = repeats.get(key) ?? 0
      repeats.delete(key)
      if (again > 0)
        this.error(
          { times: again, reason: error.message },
          `again: ${typeof text === 'string' ? text : error.message}`,
        )
    }, REPEAT_MS).unref()
  }
}

/**
 * Opens standard output, which is written in the background. While it takes nothing, because nobody reads it any more or its disk is
 * full, lines are lost: that is no reason to stop, nor to fill the memory.
 */
function standardOutput(): DestinationStream {
  let output = open()
  function open() {
    const opened = pino.destination({ dest: 1, sync: false })
    opened.once('error', () => {
      // The data that it could not write would keep the process from ending.
      opened.destroy()
      output = open()
    })
    return opened
  }
  return { write: (line) => void output.write(line) }
}
