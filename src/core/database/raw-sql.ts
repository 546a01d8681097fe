import { Prisma } from '../../generated/prisma/client.ts'
import { bindable, type Statements } from './statements.ts'

type Query = TemplateStringsArray | Prisma.Sql

/**
 * Hand-written SQL, as a template or as `Prisma.sql`: what is put into it is bound, never pasted. Named as in Prisma, but it
 * goes straight to the driver: Prisma's runtime costs several times what a short statement does.
 */
export interface RawSql {
  /**
   * @returns the rows as SQLite has them: integers (exact, the schema allows none beyond 2^53) and truth values are numbers,
   *   times are ISO 8601 texts
   */
  $queryRaw<Rows extends readonly unknown[]>(query: Query, ...values: readonly unknown[]): Promise<Rows>
  /** @returns how many rows changed */
  $executeRaw(query: Query, ...values: readonly unknown[]): Promise<number>
}

/** @param statements of the connection that it uses */
export function rawSql(statements: Statements): RawSql {
  return {
    $queryRaw: <Rows extends readonly unknown[]>(query: Query, ...values: readonly unknown[]) => {
      const { sql, bound } = parsed(query, values)
      return statements.attempt(() => {
        const { statement } = statements.prepare(sql)
        return statement.raw(false).all(bound) as readonly unknown[] as Rows
      }, sql)
    },
    $executeRaw: (query, ...values) => {
      const { sql, bound } = parsed(query, values)
      return statements.attempt(() => statements.prepare(sql).statement.run(bound).changes, sql)
    },
  }
}

function parsed(query: Query, values: readonly unknown[]): { sql: string; bound: unknown[] } {
  const whole = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values)
  return { sql: whole.sql, bound: whole.values.map(bindable) }
}
