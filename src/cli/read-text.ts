import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { decodedText } from '../core/decoded-text.ts'
import { Refusal } from '../operator/refusal.ts'
import type { Session } from './run.ts'

/**
 * Reads a text file; `-` is the standard input. Another encoding than UTF-8 is refused, as names and passwords would be wrong.
 *
 * @throws Refusal file_not_readable
 */
export async function readText({ stdin }: Pick<Session, 'stdin'>, file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(stdin) : readFile(file)).catch((error: Error) => {
    throw new Refusal('file_not_readable', `The file cannot be read: ${error.message}`)
  })
  const text = decodedText(bytes)
  if (text === undefined) throw new Refusal('file_not_readable', `${file} is not encoded in UTF-8`)
  return text
}
