import { appendFileSync } from 'node:fs'
import { RawNode, type RootOperationNode, SqliteQueryCompiler } from 'kysely'
import { expect, inject } from 'vitest'
import { PostgresCompiler } from '../../src/core/database/postgres/queries.ts'

/** A statement that was run, as PostgreSQL would be asked. */
export interface Statement {
  readonly sql: string
  /** File of the first test that ran it. */
  readonly test: string
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
