import {
  type BinaryOperationNode,
  type CompiledQuery,
  type Driver,
  DummyDriver,
  Kysely,
  type OperationNode,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  RawNode,
} from 'kysely'
import type { DB } from '../../../generated/kysely/tables.ts'
import type { Spelled } from '../dialect.ts'
import { snakeCase } from '../names.ts'
import { type RowReader, rowReader } from '../row-reader.ts'
import { isConstant, type Queries, StatementsDriver, withParens } from '../queries.ts'
import { type PostgresStatements, STATEMENT_LIMIT } from './statements.ts'

/** @param statements of the connection to use; it never begins or ends a transaction */
export function queriesOverPostgres(statements: PostgresStatements): Queries {
  return kyselyWith(new StatementsDriver((query) => executeOnPostgres(statements, query)), PostgresCompiler)
}

function kyselyWith(driver: Driver, compiler: typeof PostgresQueryCompiler): Queries {
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new compiler(),
    },
  })
}

/** Writes names in snake case, and of {@link Spelled} parts the spelling for PostgreSQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snakeCase(identifier))
  }

  protected override visitRaw(node: RawNode): void {
    const { postgres } = node as Partial<Spelled>
    if (postgres) this.visitNode(postgres)
    else super.visitRaw(node)
  }

  /** Writes `in` with a list as `= any(…)`. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    if (!OperatorNode.is(operator) || !isList(rightOperand))
      return super.visitBinaryOperation(withParens(node))
    this.append(operator.operator === 'not in' ? 'not ' : '')
    this.visitNode(leftOperand)
    this.append(' = ')
    this.visitNode(rightOperand)
  }
}

/** Makes constants part of the text, so that the planner knows them and they are not sent at each run. */
class ConstantsCompiler extends PostgresCompiler {
  protected override appendValue(value: unknown): void {
    if (isConstant(value)) this.appendImmediateValue(value)
    else super.appendValue(value)
  }
}

/** Builds the queries that are compiled once; it runs none. */
export const postgresBuilder = kyselyWith(new DummyDriver(), ConstantsCompiler)

/** Whether the dialect's `listOf` or `listFrom` made the node. */
function isList(node: OperationNode): boolean {
  if (!RawNode.is(node)) return false
  const { postgres } = node as Partial<Spelled>
  if (postgres) return RawNode.is(postgres) && postgres.sqlFragments[0]?.startsWith('any(') === true
  return node.parameters.length === 1 && node.parameters.every(isList)
}

/** Row readers of statements, by their text. */
const readers = new Map<string, RowReader>()

export async function executeOnPostgres<Row>(
  statements: PostgresStatements,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<Row>> {
  const answer = await statements.run(sql, parameters)
  if (answer.columns.length === 0) return { rows: [], numAffectedRows: BigInt(answer.changed) }
  const read = readers.get(sql) ?? rowReader(answer.columns.map(({ name }) => ({ name })))
  if (readers.size < STATEMENT_LIMIT) readers.set(sql, read)
  return { rows: answer.rows.map(read) as Row[] }
}
