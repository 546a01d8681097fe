import { DriverAdapterError, type Error as AdapterError } from '@prisma/driver-adapter-utils'
import type { SqliteColumn, SqliteConnection, SqliteStatement } from './driver.ts'
import { type RowReader, rowReader } from './row-reader.ts'

/** Statements kept prepared per connection. The service has far fewer; the limit guards against generated SQL. */
const STATEMENT_LIMIT = 500

/** A statement that takes longer is logged: it blocks the event loop for a noticeable time. */
export const SLOW_STATEMENT_MS = 100

interface PreparedStatement {
  /** The statement, whose rows are lists of values. */
  readonly statement: SqliteStatement
  /** Columns of its rows; none for a statement that returns no rows. */
  readonly columns: readonly SqliteColumn[]
  /** Makes objects of its rows, if it returns any. */
  readonly read: RowReader | undefined
}

/** Runs statements on one connection: keeps them prepared, measures their time, and maps errors of SQLite. */
export class Statements {
  readonly #connection: SqliteConnection
  readonly #guard: () => void
  readonly #onSlow: (sql: string, ms: number) => void
  readonly #prepared = new Map<string, PreparedStatement>()

  /**
   * @param guard called before every statement; throws when the connection may not be used now
   * @param onSlow told about statements that took longer than {@link SLOW_STATEMENT_MS}
   */
  constructor(
    connection: SqliteConnection,
    guard: () => void = () => {},
    onSlow: (sql: string, ms: number) => void = () => {},
  ) {
    this.#connection = connection
    this.#guard = guard
    this.#onSlow = onSlow
  }

  /** Returns the statement for an SQL text, prepared at its first use. */
  prepare(sql: string): PreparedStatement {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#connection.prepare(sql)
    const columns = statement.reader ? statement.raw(true).columns() : []
    const prepared = { statement, columns, read: statement.reader ? rowReader(columns) : undefined }
    if (this.#prepared.size >= STATEMENT_LIMIT) this.#prepared.clear()
    this.#prepared.set(sql, prepared)
    return prepared
  }

  /**
   * Runs `work` on the connection, synchronously.
   *
   * @param sql text for the log
   * @returns what `work` returns; rejected with a DriverAdapterError when SQLite refuses it
   */
  attempt<T>(work: (connection: SqliteConnection) => T, sql = ''): Promise<T> {
    try {
      this.#guard()
      const begun = performance.now()
      const result = work(this.#connection)
      const ms = performance.now() - begun
      if (ms > SLOW_STATEMENT_MS) this.#onSlow(sql, ms)
      return Promise.resolve(result)
    } catch (error) {
      return Promise.reject(isSqliteError(error) ? new DriverAdapterError(mapError(error)) : error)
    }
  }
}

/**
 * better-sqlite3 binds a JS number as REAL: integers must go in as BigInt, or money columns would turn into floats. Times go in as
 * ISO 8601 texts, lists as JSON.
 */
export function bindable(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? BigInt(value) : value
    case 'boolean':
      return value ? 1n : 0n
    default:
      if (value instanceof Date) return value.toISOString()
      return Array.isArray(value) ? JSON.stringify(value) : value
  }
}

function isSqliteError(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('SQLITE_')
  )
}

function mapError(error: Error & { code: string }): AdapterError {
  const original = { originalCode: error.code, originalMessage: error.message }
  const fields = error.message
    .split('constraint failed: ')[1]
    ?.split(', ')
    .map((field) => field.split('.').at(-1) ?? field)
  const constraint = fields ? { constraint: { fields } } : {}
  switch (error.code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
      return { ...original, kind: 'UniqueConstraintViolation', ...constraint }
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return { ...original, kind: 'NullConstraintViolation', ...constraint }
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return { ...original, kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } }
    default:
      return { ...original, kind: 'sqlite', extendedCode: 1, message: error.message }
  }
}
