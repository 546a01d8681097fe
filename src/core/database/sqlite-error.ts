import { DriverAdapterError } from '@prisma/driver-adapter-utils'

/** Details of a refused statement; Prisma wraps them in its own errors. */
interface Failure {
  /** Extended result code of SQLite, e.g. `SQLITE_CONSTRAINT_UNIQUE`, or SQLSTATE of PostgreSQL. */
  readonly originalCode?: string
  readonly constraint?: { readonly fields?: readonly string[] }
}

function failureOf(error: unknown): Failure | undefined {
  const inner =
    (error as { meta?: { driverAdapterError?: unknown } } | undefined)?.meta?.driverAdapterError ?? error
  return inner instanceof DriverAdapterError ? (inner.cause as Failure) : undefined
}

/**
 * Whether a write was refused because something with the same unique value exists.
 *
 * @param field column that must be part of the violated key, for tables with several unique keys
 */
export function uniqueViolation(error: unknown, field?: string): boolean {
  const failure = failureOf(error)
  const unique =
    failure?.originalCode === 'SQLITE_CONSTRAINT_UNIQUE' ||
    failure?.originalCode === 'SQLITE_CONSTRAINT_PRIMARYKEY' ||
    failure?.originalCode === '23505'
  return unique && (field === undefined || failure.constraint?.fields?.includes(field) === true)
}

/** Whether a statement failed because the database cannot be used just now: locked, out of space, or a failing disk. */
export function databaseUnavailable(error: unknown): boolean {
  const code = failureOf(error)?.originalCode ?? ''
  // PostgreSQL: no connection, no room or memory, a timeout or cancellation, a shutdown, a standby, a failing disk, a deadlock.
  return (
    /^SQLITE_(BUSY|LOCKED|FULL|IOERR|NOMEM|CANTOPEN|READONLY)/.test(code) ||
    /^(08|53|57|58|25006|25P03|40|55P03)/.test(code)
  )
}

/** Whether a write was refused because another process held the database for too long. */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return String(code).startsWith('SQLITE_BUSY') || isLocked(error.cause)
}

/** Whether PostgreSQL refused a statement because another one before it had failed. */
export function isInFailedTransaction(error: unknown): boolean {
  return failureOf(error)?.originalCode === '25P02'
}
