import type { Compilable } from 'kysely'
import { compiledByShape, type Placeholders } from './compiled.ts'
import type { Queries, Queryable } from './queries.ts'

/**
 * As `compiledByShape`, for a query whose shape depends only on which of its values are given, as that of a filter does.
 *
 * @returns takes the query, built with placeholders for the values that are given, and answers what carries it out
 */
export function compiledForGiven<Values extends object>() {
  return <Row>(build: (db: Queries, value: Placeholders<Values>) => Compilable<Row>) => {
    const query = compiledByShape<undefined, Values>()((db, _, value) => build(db, value))
    return (db: Queryable, values: Values): Promise<Row[]> => query(db, undefined, values)
  }
}
