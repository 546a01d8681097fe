import { resolve } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/** The file that DATABASE_URL names. */
export function databasePath(url: string): string {
  if (!url.startsWith('file:'))
    throw new OperatorError('DATABASE_URL must be a file: URL of a SQLite database')
  return resolve(url.slice('file:'.length))
}
