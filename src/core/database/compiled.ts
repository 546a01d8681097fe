import { type Compilable, type CompiledQuery, expressionBuilder, type ExpressionWrapper } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Queries, Queryable } from './queries.ts'

/** Stands for a value that is known when the query runs. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** What a query is built with in place of its values. */
export type Placeholders<Values> = {
  readonly [Name in keyof Values]: ExpressionWrapper<DB, never, Values[Name]>
}

/**
 * A query that is built and compiled at its first use only: building one takes Kysely longer than SQLite needs for a row.
 * `const findName = compiled<{ id: number }>()((db, { id }) => db.selectFrom(…).where('id', '=', id))`
 *
 * @returns takes the query, built with placeholders for its values: its shape must not depend on anything else. That answers what
 *   carries the query out with the values, and has its rows
 */
export function compiled<Values extends object>() {
  return <Row>(build: (db: Queries, value: Placeholders<Values>) => Compilable<Row>) => {
    let query: CompiledQuery<Row> | undefined
    return async (db: Queryable, values: Values): Promise<Row[]> => {
      query ??= build(db.$kysely as Queries, placeholders).compile()
      const parameters = query.parameters.map((value) =>
        value instanceof Placeholder ? values[value.name as keyof Values] : value,
      )
      return (await db.$run<Row>({ ...query, parameters })).rows
    }
  }
}

/** Any name is one of a placeholder. */
const placeholders = new Proxy({} as never, {
  get: (_, name) => expressionBuilder<DB>().val(new Placeholder(String(name))),
  ownKeys: () => {
    throw new Error('a compiled query must name each of its values')
  },
})
