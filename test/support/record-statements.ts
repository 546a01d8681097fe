import { appendFileSync } from 'node:fs'
import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresQueryCompiler,
  type OperationNode,
  RawNode,
  type RootOperationNode,
  SqliteQueryCompiler,
} from 'kysely'
import { expect, inject } from 'vitest'
import type { Spelled } from '../../src/core/database/dialect.ts'
import { snakeCase } from '../../src/core/database/names.ts'
import { withParens } from '../../src/core/database/queries.ts'

/** A statement that was run, as PostgreSQL would be asked. */
export interface Statement {
  readonly sql: string
  /** File of the first test that ran it. */
  readonly test: string
}

/** Writes names and pieces as PostgreSQL has them. */
class PostgresCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snakeCase(identifier))
  }

  protected override visitRaw(node: RawNode): void {
    const { postgres } = node as Partial<Spelled>
    if (postgres) this.visitNode(postgres)
    else super.visitRaw(node)
  }

  /** What is looked for in a list comes as `= any(…)` there. */
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

/** Whether it is what the dialect's `listOf` makes. */
function isList(node: OperationNode): boolean {
  if (!RawNode.is(node)) return false
  const { postgres } = node as Partial<Spelled>
  if (postgres) return RawNode.is(postgres) && postgres.sqlFragments[0] === 'any('
  return node.parameters.length === 1 && node.parameters.every(isList)
}

const { compileQuery } = SqliteQueryCompiler.prototype
const seen = new Set<string>()

// Workers share their modules between the files of tests, and this one is loaded for each.
if (!('recorded' in compileQuery)) {
  const recorded = function (this: SqliteQueryCompiler, ...args: Parameters<typeof compileQuery>) {
    const query = compileQuery.apply(this, args)
    // SQL text of the tests themselves is SQLite's.
    if (!RawNode.is(args[0]) && !seen.has(query.sql)) {
      seen.add(query.sql)
      record(args[0])
    }
    return query
  }
  SqliteQueryCompiler.prototype.compileQuery = Object.assign(recorded, { recorded: true })
}

function record(node: RootOperationNode): void {
  const { sql } = new PostgresCompiler().compileQuery(node, { queryId: 'recorded' })
  const statement: Statement = { sql, test: expect.getState().testPath ?? '' }
  appendFileSync(inject('statements'), `${JSON.stringify(statement)}\n`)
}
