import type { Compilable } from 'kysely'
import { compiledByShape, type Placeholders } from './compiled.ts'
import type { Queries, Queryable } from './queries.ts'

/**
 * As `compiledByShape`, for a query whose shape depends only on which of its values are given, such as a filter.
 *
 * @returns a function that takes the builder, which gets placeholders for the values that are given, and returns the function that
 *   runs the query
 */
export function compiledForGiven<Values extends object>() {
  return <Row>(build: (db: Queries, value: Placeholders<Values>) => Compilable<Row>) => {
    const query = compiledByShape<undefined, Values>()((db, _, value) => build(db, value))
    return (db: Queryable, values: Values): Promise<Row[]> => query(db, undefined, values)
  }
}
