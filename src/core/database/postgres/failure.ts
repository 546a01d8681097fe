import { DriverAdapterError, type Error as AdapterError } from '@prisma/driver-adapter-utils'
import { DatabaseError } from 'pg'

/** The columns of each unique key, by the name of its index: PostgreSQL names the index in its refusal, and not the columns. */
export type UniqueKeys = ReadonlyMap<string, readonly string[]>

/** SQLSTATE for a connection that could not be made or broke off. */
const CONNECTION_LOST = '08006'

/** Converts an error of the driver to one of Prisma's, as `statements.ts` does for SQLite. */
export function asAdapterError(error: unknown, keys: UniqueKeys): DriverAdapterError {
  if (error instanceof DriverAdapterError) return error
  return new DriverAdapterError(
    error instanceof DatabaseError ? ofServer(error, keys) : ofConnection(error as Error),
  )
}

function ofServer(error: DatabaseError, keys: UniqueKeys): AdapterError {
  const original = { originalCode: error.code ?? '', originalMessage: error.message }
  switch (error.code) {
    case '23505':
      return {
        ...original,
        kind: 'UniqueConstraintViolation',
        constraint: { fields: [...(keys.get(error.constraint ?? '') ?? [])] },
      }
    case '23502':
      return { ...original, kind: 'NullConstraintViolation', constraint: { fields: [error.column ?? ''] } }
    // Restricted deletions have a code of their own.
    case '23001':
    case '23503':
      return { ...original, kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } }
    default:
      return {
        ...original,
        kind: 'postgres',
        code: error.code ?? '',
        severity: error.severity ?? '',
        message: error.message,
        detail: error.detail,
        column: error.column,
        hint: error.hint,
      }
  }
}

function ofConnection({ message }: Error): AdapterError {
  return {
    originalCode: CONNECTION_LOST,
    originalMessage: message,
    kind: 'postgres',
    code: CONNECTION_LOST,
    severity: 'FATAL',
    message,
    detail: undefined,
    column: undefined,
    hint: undefined,
  }
}
