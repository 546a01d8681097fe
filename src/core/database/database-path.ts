import { resolve } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/** Returns the path of the file that DATABASE_URL names. */
export function databasePath(url: string): string {
  if (!url.startsWith('file:'))
    throw new OperatorError('DATABASE_URL must be a file: URL of a SQLite database here')
  return resolve(url.slice('file:'.length))
}

/** Whether DATABASE_URL names a PostgreSQL database. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url)
}

/** Returns a PostgreSQL URL as it may be shown: host, port and name of the database. */
export function shownUrl(url: string): string {
  try {
    const shown = new URL(url)
    return `${shown.hostname}${shown.port && `:${shown.port}`}${shown.pathname}`
  } catch {
    return 'of DATABASE_URL'
  }
}
