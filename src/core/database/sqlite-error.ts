import { DriverAdapterError } from '@prisma/driver-adapter-utils'

/** Details of a refused statement; Prisma wraps them in its own errors. */
interface SqliteFailure {
  /** Extended result code, e.g. `SQLITE_CONSTRAINT_UNIQUE`. */
  readonly originalCode?: string
  readonly constraint?: { readonly fields?: readonly string[] }
}

function sqliteFailure(error: unknown): SqliteFailure | undefined {
  const inner =
    (error as { meta?: { driverAdapterError?: unknown } } | undefined)?.meta?.driverAdapterError ?? error
  return inner instanceof DriverAdapterError ? (inner.cause as SqliteFailure) : undefined
}

/**
 * Whether a write was refused because something with the same unique value exists.
 *
 * @param field column that must be part of the violated key, for tables with several unique keys
 */
export function uniqueViolation(error: unknown, field?: string): boolean {
  const failure = sqliteFailure(error)
  const unique =
    failure?.originalCode === 'SQLITE_CONSTRAINT_UNIQUE' ||
    failure?.originalCode === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  return unique && (field === undefined || failure.constraint?.fields?.includes(field) === true)
}

/** Whether a statement failed because the database cannot be used just now: locked, out of space, or a failing disk. */
export function databaseUnavailable(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|FULL|IOERR|NOMEM|CANTOPEN|READONLY)/.test(
    sqliteFailure(error)?.originalCode ?? '',
  )
}
