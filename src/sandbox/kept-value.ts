import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A value that outlives the process. */
export interface KeptValue<T> {
  get: () => T
  set: (value: T) => void
}

/** Keeps a value as JSON in a file; `initial` until something was set. */
export function keptValue<T>(file: string, initial: T): KeptValue<T> {
  let value = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : initial
  return {
    get: () => value,
    set(changed) {
      value = changed
      mkdirSync(dirname(file), { recursive: true })
      // A crash in the middle leaves the old file.
      writeFileSync(`${file}.new`, JSON.stringify(value))
      renameSync(`${file}.new`, file)
    },
  }
}
