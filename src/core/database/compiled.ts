import { type Compilable, type CompiledQuery, expressionBuilder, type ExpressionWrapper } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Engine, Queries, Queryable } from './queries.ts'

/** Stands for a value that is known when the query runs. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** What a query is built with in place of its values. */
export type Placeholders<Values> = {
  readonly [Name in keyof Values]:
    | ExpressionWrapper<DB, never, Exclude<Values[Name], undefined>>
    | (undefined extends Values[Name] ? undefined : never)
}

/**
 * A query that is built and compiled for an engine only at its first use there: Kysely takes longer to build one than SQLite needs for a row.
 * `const findName = compiled<{ id: number }>()((db, { id }) => db.selectFrom(…).where('id', '=', id))`
 *
 * @returns a function that takes the builder, which gets placeholders for the values and whose shape must not depend on anything
 *   else, and returns the function that runs the query with the values and resolves to its rows. All other values are part of its
 *   text
 */
export function compiled<Values extends object>() {
  return <Row>(build: (db: Queries, value: Placeholders<Values>) => Compilable<Row>) => {
    const queries: { [engine in Engine]?: CompiledQuery<Row> } = {}
    return async (db: Queryable, values: Values): Promise<Row[]> => {
      const query = (queries[db.$engine] ??= build(db.$builder, placeholders).compile())
      const parameters = query.parameters.map((value) =>
        value instanceof Placeholder ? values[value.name as keyof Values] : value,
      )
      return (await db.$run<Row>({ ...query, parameters })).rows
    }
  }
}

/** Most compiled queries kept per {@link compiledByShape}: only a few combinations of filters are in use. */
const SHAPE_LIMIT = 100

/**
 * As {@link compiled}, for a query with several shapes, each built and compiled at its first use. Which values are given is part of
 * the shape: the builder gets undefined in place of a missing one.
 * `const findNames = compiledByShape<{ sorted: boolean }, { id?: number }>()((db, { sorted }, { id }) => id ? … : …)`
 *
 * @returns as {@link compiled}; the shape must be representable in JSON
 */
export function compiledByShape<Shape, Values extends object>() {
  return <Row>(build: (db: Queries, shape: Shape, value: Placeholders<Values>) => Compilable<Row>) => {
    const queries = new Map<string, (db: Queryable, values: Values) => Promise<Row[]>>()
    return (db: Queryable, shape: Shape, values: Values): Promise<Row[]> => {
      const given = Object.keys(values).filter((name) => values[name as keyof Values] !== undefined)
      const key = JSON.stringify([shape, given])
      let query = queries.get(key)
      if (!query) {
        const some = placeholdersFor(new Set(given))
        query = compiled<Values>()((queriesOf) => build(queriesOf, shape, some))
        if (queries.size >= SHAPE_LIMIT) queries.clear()
        queries.set(key, query)
      }
      return query(db, values)
    }
  }
}

/** @param given names of the given values; without it, all are given */
function placeholdersFor(given?: ReadonlySet<string>): never {
  return new Proxy({} as never, {
    get: (_, name) =>
      given?.has(String(name)) === false
        ? undefined
        : expressionBuilder<DB>().val(new Placeholder(String(name))),
    ownKeys: () => {
      throw new Error('a compiled query must name each of its values')
    },
  })
}

const placeholders = placeholdersFor()
