import {
  BinaryOperationNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  Kysely,
  type OperationNode,
  ParensNode,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { snakeCase } from './names.ts'
import { bindable, type Statements } from './statements.ts'

/**
 * Kysely over the statements of one connection. Its names are those of the schema's fields. Rows have booleans as such; times are
 * ISO 8601 texts; integers are exact, the schema allows none beyond 2^53.
 */
export type Queries = Kysely<DB>

/** The database engine. */
export type Engine = 'sqlite' | 'postgres'

/** Where queries are built and run. */
export interface Queryable {
  readonly $engine: Engine
  readonly $kysely: Pick<Queries, 'selectFrom' | 'selectNoFrom' | 'with'>
  /** Builder of the queries that are compiled once. */
  readonly $builder: Queries
  /** Runs a compiled query; rejected with a DriverAdapterError when the database refuses it. */
  $run<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

/** @param statements of the connection to use; it never begins or ends a transaction */
export function queriesOver(statements: Statements): Queries {
  return kyselyWith(new StatementsDriver((query) => execute(statements, query)), Compiler)
}

function kyselyWith(driver: Driver, compiler: typeof SqliteQueryCompiler): Queries {
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new compiler(),
    },
  })
}

/** Fields of the schema are columns in snake case. */
class Compiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    super.visitBinaryOperation(withParens(node))
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snakeCase(identifier))
  }

  /** SQLite recompiles a statement at each run when its limit is a bare parameter. */
  protected override visitLimit(node: LimitNode): void {
    this.append(ValueNode.is(node.limit) ? 'limit 0 + ' : 'limit ')
    this.visitNode(node.limit)
  }
}

/**
 * Makes constants part of the text: with a bound parameter SQLite cannot use a partial index whose condition names the value, and
 * prepares the statement anew at each run.
 */
class ConstantsCompiler extends Compiler {
  protected override appendValue(value: unknown): void {
    if (isConstant(value)) this.appendImmediateValue(value)
    else super.appendValue(value)
  }
}

/** Builds the queries that are compiled once; it runs none. */
export const sqliteBuilder = kyselyWith(new DummyDriver(), ConstantsCompiler)

/** Whether a value that a query is built with has a spelling that is the same in both engines. */
export function isConstant(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Adds the parentheses of nested operations: Kysely would write `a - (b - c)` without them. */
export function withParens({
  leftOperand,
  operator,
  rightOperand,
}: BinaryOperationNode): BinaryOperationNode {
  const inParens = (node: OperationNode) => (BinaryOperationNode.is(node) ? ParensNode.create(node) : node)
  return BinaryOperationNode.create(inParens(leftOperand), operator, inParens(rightOperand))
}

/** Runs queries by a given function, and leaves transactions to the write lane. */
export class StatementsDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(run: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>) {
    this.#connection = {
      executeQuery: run,
      streamQuery: () => {
        throw new Error('rows are read at once')
      },
    }
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection)
  }

  beginTransaction = refuseTransaction
  commitTransaction = refuseTransaction
  rollbackTransaction = refuseTransaction

  releaseConnection(): Promise<void> {
    return Promise.resolve()
  }

  destroy(): Promise<void> {
    return Promise.resolve()
  }
}

function refuseTransaction(): Promise<void> {
  return Promise.reject(new Error('transactions belong to the write lane'))
}

export function execute<Row>(
  statements: Statements,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<Row>> {
  return statements.attempt(() => {
    const { statement, read } = statements.prepare(sql)
    const bound = parameters.map(bindable)
    if (!read) return { rows: [], numAffectedRows: BigInt(statement.run(bound).changes) }
    return { rows: (statement.all(bound) as unknown[][]).map(read) as Row[] }
  }, sql)
}
