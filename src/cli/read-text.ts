import { readFile } from 'node:fs/promises'
import { decodedText } from '../core/decoded-text.ts'
import { Refusal } from './refusal.ts'

/** Reads a text file. Another encoding than UTF-8 is refused, as names and passwords would be wrong. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new Refusal('file_not_readable', `The file cannot be read: ${error.message}`)
  })
  const text = decodedText(bytes)
  if (text === undefined) throw new Refusal('file_not_readable', `${file} is not encoded in UTF-8`)
  return text
}
