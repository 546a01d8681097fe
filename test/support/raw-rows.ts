import { sql } from 'kysely'
import type { Queries, Queryable } from '../../src/core/database/queries.ts'

/**
 * SQL text for what only tests do, such as breaking something: `await rowsOf(tx)`UPDATE accounts SET balance = ${1}``.
 *
 * @returns its rows
 */
export function rowsOf<Row = unknown>(db: Pick<Queryable, '$kysely'>) {
  return async (text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> => {
    const { rows } = await sql<Row>(text, ...values).execute(db.$kysely as Queries)
    return rows
  }
}
