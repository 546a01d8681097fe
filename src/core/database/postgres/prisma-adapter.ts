import {
  type ArgType,
  type ColumnType,
  ColumnTypeEnum,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlQueryable,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import type { PostgresStatements } from './statements.ts'

/**
 * Prisma driver adapter over the statements of one connection, or of a pool for what only reads. As in `sqlite-adapter.ts`, Prisma's
 * own transactions (nested writes) become savepoints inside the caller's.
 */
export function postgresAdapter(statements: PostgresStatements): SqlDriverAdapterFactory {
  const about = { provider: 'postgres', adapterName: 'proxy-reseller-postgres' } as const
  const queryable: SqlQueryable = {
    ...about,
    queryRaw: async (query) => {
      const { rows, columns } = await statements.run(query.sql, bind(query))
      return {
        columnNames: columns.map(({ name }) => name),
        columnTypes: columns.map(({ type }) => columnType(type)),
        rows,
      }
    },
    executeRaw: async (query) => (await statements.run(query.sql, bind(query))).changed,
  }

  let depth = 0
  async function startTransaction(): Promise<Transaction> {
    const savepoint = `prisma_${(depth += 1)}`
    await statements.script(`SAVEPOINT ${savepoint}`)
    const end = async (sql: string) => {
      depth -= 1
      await statements.script(sql)
    }
    return {
      ...queryable,
      options: { usePhantomQuery: true },
      commit: () => end(`RELEASE ${savepoint}`),
      rollback: () => end(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`),
    }
  }

  return {
    ...about,
    connect: () =>
      Promise.resolve({
        ...queryable,
        startTransaction,
        executeScript: (script: string) => statements.script(script),
        getConnectionInfo: () => ({ supportsRelationJoins: false }),
        dispose: () => Promise.resolve(),
      }),
  }
}

/** Returns Prisma's type for one of PostgreSQL's; times are texts. */
function columnType(type: number): ColumnType {
  switch (type) {
    case 16:
      return ColumnTypeEnum.Boolean
    case 20:
    case 21:
    case 23:
    case 1700:
      return ColumnTypeEnum.Int64
    case 700:
    case 701:
      return ColumnTypeEnum.Double
    default:
      return ColumnTypeEnum.Text
  }
}

function bind({ args, argTypes }: SqlQuery): unknown[] {
  return args.map((arg, index) => bindValue(arg, argTypes[index]))
}

/** Prisma has turned some values into text before they come here. */
function bindValue(arg: unknown, type: ArgType | undefined): unknown {
  if (typeof arg !== 'string') return arg
  switch (type?.scalarType) {
    case 'int':
    case 'bigint':
      return BigInt(arg)
    case 'datetime':
      return new Date(arg).toISOString()
    default:
      return arg
  }
}
