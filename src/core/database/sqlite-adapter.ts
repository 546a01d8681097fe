import SqliteDatabase from 'better-sqlite3'
import {
  type ArgType,
  type ColumnType,
  ColumnTypeEnum,
  DriverAdapterError,
  type Error as AdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'

type Connection = SqliteDatabase.Database
type Statement = SqliteDatabase.Statement

/** Statements kept prepared per connection. The service has far fewer; the bound is against generated SQL. */
const STATEMENT_LIMIT = 500

/** A statement that takes longer blocks everybody for a noticeable time: it is worth a line in the log. */
export const SLOW_STATEMENT_MS = 100

/**
 * Prisma driver adapter over one better-sqlite3 connection that its maker owns: opening, pragmas, transactions and closing
 * stay with the maker. The official adapter mixes all callers on one connection, so that a plain write can vanish
 * with somebody else's rollback; here the write lane decides what belongs to which transaction.
 *
 * Prisma's own transactions (nested writes) become savepoints inside the maker's transaction.
 *
 * @param connection an open connection
 * @param guard called before every statement; throws when the connection may not be used now
 * @param onSlow told about statements that took longer than {@link SLOW_STATEMENT_MS}
 */
export function sqliteAdapter(
  connection: Connection,
  guard: () => void = () => {},
  onSlow: (sql: string, ms: number) => void = () => {},
): SqlMigrationAwareDriverAdapterFactory {
  const adapter = createAdapter(connection, guard, onSlow)
  return {
    provider: 'sqlite',
    adapterName: 'proxy-reseller-sqlite',
    connect: () => Promise.resolve(adapter),
    connectToShadowDb: () => Promise.resolve(createAdapter(new SqliteDatabase(':memory:'), () => {}, onSlow)),
  }
}

function createAdapter(
  connection: Connection,
  guard: () => void,
  onSlow: (sql: string, ms: number) => void,
): SqlDriverAdapter {
  const statements = new Map<
    string,
    { statement: Statement; declared: (ColumnType | undefined)[]; names: string[] }
  >()

  function prepared(sql: string) {
    let entry = statements.get(sql)
    if (!entry) {
      const statement = connection.prepare(sql)
      const columns = statement.reader ? statement.raw(true).columns() : []
      entry = {
        statement,
        names: columns.map((c) => c.name),
        declared: columns.map((c) => columnType(c.type)),
      }
      if (statements.size >= STATEMENT_LIMIT) statements.clear()
      statements.set(sql, entry)
    }
    return entry
  }

  function attempt<T>(work: () => T, sql = ''): Promise<T> {
    try {
      guard()
      const begun = performance.now()
      const result = work()
      const ms = performance.now() - begun
      if (ms > SLOW_STATEMENT_MS) onSlow(sql, ms)
      return Promise.resolve(result)
    } catch (error) {
      return Promise.reject(isSqliteError(error) ? new DriverAdapterError(mapError(error)) : error)
    }
  }

  const queryable: SqlQueryable = {
    provider: 'sqlite',
    adapterName: 'proxy-reseller-sqlite',
    queryRaw: (query) =>
      attempt((): SqlResultSet => {
        const { statement, names, declared } = prepared(query.sql)
        if (!statement.reader) {
          statement.run(bind(query))
          return { columnNames: [], columnTypes: [], rows: [] }
        }
        const rows = statement.all(bind(query)) as unknown[][]
        const columnTypes = declared.map((type, column) => type ?? typeOfValues(rows, column))
        return { columnNames: names, columnTypes, rows: rows.map((row) => row.map(toResultValue)) }
      }, query.sql),
    executeRaw: (query) =>
      attempt(() => {
        if (query.args.length > 0) return prepared(query.sql).statement.run(bind(query)).changes
        // The schema engine sends whole migration scripts this way, which cannot be prepared.
        connection.exec(query.sql)
        return (prepared('SELECT changes()').statement.get() as [number])[0]
      }, query.sql),
  }

  let depth = 0
  function startTransaction(): Promise<Transaction> {
    return attempt(() => {
      if (!connection.inTransaction)
        throw new Error('A Prisma transaction was started outside the write lane')
      const savepoint = `prisma_${(depth += 1)}`
      connection.exec(`SAVEPOINT ${savepoint}`)
      const end = (sql: string) => attempt(() => void (connection.exec(sql), (depth -= 1)))
      return {
        ...queryable,
        options: { usePhantomQuery: true },
        commit: () => end(`RELEASE ${savepoint}`),
        rollback: () => end(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`),
      }
    })
  }

  return {
    ...queryable,
    startTransaction,
    executeScript: (script) => attempt(() => void connection.exec(script)),
    getConnectionInfo: () => ({ supportsRelationJoins: false }),
    dispose: () => Promise.resolve(),
  }
}

/** Declared column type → Prisma's; undefined where SQLite knows none (expressions). */
function columnType(declared: string | null): ColumnType | undefined {
  switch (declared?.toUpperCase()) {
    case 'INTEGER':
      return ColumnTypeEnum.Int32
    case 'BIGINT':
      return ColumnTypeEnum.Int64
    case 'TEXT':
      return ColumnTypeEnum.Text
    case 'DATETIME':
      return ColumnTypeEnum.DateTime
    case 'BOOLEAN':
      return ColumnTypeEnum.Boolean
    case 'JSONB':
      return ColumnTypeEnum.Json
    case 'BLOB':
      return ColumnTypeEnum.Bytes
    case 'REAL':
    case 'DOUBLE':
      return ColumnTypeEnum.Double
    default:
      return undefined
  }
}

function typeOfValues(rows: unknown[][], column: number): ColumnType {
  const value = rows.find((row) => row[column] !== null)?.[column]
  if (typeof value === 'string') return ColumnTypeEnum.Text
  if (value instanceof Uint8Array) return ColumnTypeEnum.Bytes
  return Number.isInteger(value) ? ColumnTypeEnum.Int64 : ColumnTypeEnum.Double
}

/** Integers beyond 2^53 cannot occur: the CHECK constraints of every large column forbid them. */
function toResultValue(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

function bind(query: SqlQuery): unknown[] {
  return query.args.map((arg, index) => bindValue(arg, query.argTypes[index]))
}

/** better-sqlite3 binds a JS number as REAL: integers must go in as BigInt, or money columns would turn into floats. */
function bindValue(arg: unknown, type: ArgType | undefined): unknown {
  switch (typeof arg) {
    case 'number':
      return Number.isInteger(arg) ? BigInt(arg) : arg
    case 'boolean':
      return arg ? 1n : 0n
    case 'string':
      if (type?.scalarType === 'int' || type?.scalarType === 'bigint') return BigInt(arg)
      if (type?.scalarType === 'datetime') return new Date(arg).toISOString()
      if (type?.scalarType === 'bytes') return Buffer.from(arg, 'base64')
      return arg
    default:
      return arg instanceof Date ? arg.toISOString() : arg
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
