import { SqliteDatabase } from './driver.ts'
import {
  type ArgType,
  type ColumnType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { bindable, Statements } from './statements.ts'

/**
 * Prisma driver adapter over one better-sqlite3 connection of the caller, who does the opening, pragmas, transactions and closing.
 * The official adapter mixes all callers on one connection, so that a plain write can be lost in another caller's rollback; here the
 * write lane decides what belongs to which transaction.
 *
 * Prisma's own transactions (nested writes) become savepoints inside the caller's transaction.
 *
 * @param statements of an open connection
 */
export function sqliteAdapter(statements: Statements): SqlMigrationAwareDriverAdapterFactory {
  const adapter = createAdapter(statements)
  return {
    provider: 'sqlite',
    adapterName: 'proxy-reseller-sqlite',
    connect: () => Promise.resolve(adapter),
    connectToShadowDb: () => Promise.resolve(createAdapter(new Statements(new SqliteDatabase(':memory:')))),
  }
}

function createAdapter(statements: Statements): SqlDriverAdapter {
  const queryable: SqlQueryable = {
    provider: 'sqlite',
    adapterName: 'proxy-reseller-sqlite',
    queryRaw: (query) =>
      statements.attempt((): SqlResultSet => {
        const { statement, columns } = statements.prepare(query.sql)
        if (!statement.reader) {
          statement.run(bind(query))
          return { columnNames: [], columnTypes: [], rows: [] }
        }
        const rows = statement.all(bind(query)) as unknown[][]
        return {
          columnNames: columns.map(({ name }) => name),
          columnTypes: columns.map(({ type }, column) => columnType(type) ?? typeOfValues(rows, column)),
          rows: rows.map((row) => row.map(toResultValue)),
        }
      }, query.sql),
    executeRaw: (query) =>
      statements.attempt((connection) => {
        if (query.args.length > 0) return statements.prepare(query.sql).statement.run(bind(query)).changes
        // The schema engine sends whole migration scripts this way, which cannot be prepared.
        connection.exec(query.sql)
        const [changes] = statements.prepare('SELECT changes()').statement.get() as [number]
        return changes
      }, query.sql),
  }

  let depth = 0
  function startTransaction(): Promise<Transaction> {
    return statements.attempt((connection) => {
      if (!connection.inTransaction)
        throw new Error('A Prisma transaction was started outside the write lane')
      const savepoint = `prisma_${(depth += 1)}`
      connection.exec(`SAVEPOINT ${savepoint}`)
      const end = (sql: string) => statements.attempt(() => void (connection.exec(sql), (depth -= 1)))
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
    executeScript: (script) => statements.attempt((connection) => void connection.exec(script)),
    getConnectionInfo: () => ({ supportsRelationJoins: false }),
    dispose: () => Promise.resolve(),
  }
}

/** Prisma's type for a declared column type; undefined where SQLite knows none (expressions). */
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

/** Prisma has turned some values into text before they come here. */
function bindValue(arg: unknown, type: ArgType | undefined): unknown {
  if (typeof arg !== 'string') return bindable(arg)
  switch (type?.scalarType) {
    case 'int':
    case 'bigint':
      return BigInt(arg)
    case 'datetime':
      return new Date(arg).toISOString()
    case 'bytes':
      return Buffer.from(arg, 'base64')
    default:
      return arg
  }
}
