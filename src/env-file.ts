import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { decodedText } from './core/decoded-text.ts'
import { OperatorError } from './core/operator-error.ts'

/**
 * Adds the settings in `.env` of the working directory to the environment, where there is such a file (rules 9.1). What is set already
 * stays.
 *
 * @throws OperatorError when it cannot be read, or has a line that would be ignored silently
 */
export function loadEnvFile(): void {
  if (!existsSync('.env')) return
  const text = read()
  if (text === undefined)
    throw new OperatorError('The file .env is not encoded in UTF-8: save it as UTF-8, and start again')
  const line = strayLine(text)
  if (line !== undefined)
    throw new OperatorError(
      `The file .env cannot be used: line ${line} is neither NAME=value nor a # comment`,
    )
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value
}

function read(): string | undefined {
  try {
    return decodedText(readFileSync('.env'))
  } catch (error) {
    throw new OperatorError(`The file .env cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

const SETTING = /^\s*(?:export\s+)?[\w.-]+\s*=/
/** A comment, or a setting whose value stands in quotation marks, and may have several lines. */
const COMMENT_OR_QUOTED = /^[^\S\n]*(?:#.*|(?:export\s+)?[\w.-]+[^\S\n]*=[^\S\n]*(["'`])[^]*?\1)/gm

/** Returns the number of the first line that is neither a setting nor a comment. */
function strayLine(text: string): number | undefined {
  const left = text.replaceAll(COMMENT_OR_QUOTED, (known) => known.replaceAll(/[^\n]/g, ''))
  const at = left.split(/\r?\n/).findIndex((line) => !/^\s*(?:#.*)?$/.test(line) && !SETTING.test(line))
  return at === -1 ? undefined : at + 1
}
