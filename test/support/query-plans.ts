import type { CompiledQuery } from 'kysely'
import { expect } from 'vitest'
import type { ReadClient } from '../../src/core/database/database.ts'
import type { Queries } from '../../src/core/database/queries.ts'
import { bindable } from '../../src/core/database/statements.ts'
import type { OperatorDeps } from '../../src/core/operator/deps.ts'
import { otherConnection, type Service } from './service.ts'

/** Lines of the plans by which SQLite carries out what a use case reads. */
export async function plansOf(
  service: Pick<Service, 'path' | 'clock' | 'db'>,
  useCase: (deps: OperatorDeps) => Promise<unknown>,
): Promise<string[]> {
  const statements = new Map<string, readonly unknown[]>()
  const { $engine, $builder, $kysely } = service.db.read
  const queries = $kysely as Queries
  const read = {
    $engine,
    $builder,
    $kysely: queries.withPlugin({
      transformQuery: ({ node, queryId }) => {
        const { sql, parameters } = queries.getExecutor().compileQuery(node, queryId)
        statements.set(sql, parameters)
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    }),
    $run: (query: CompiledQuery) => {
      statements.set(query.sql, query.parameters)
      return service.db.read.$run(query)
    },
  } as unknown as ReadClient
  await useCase({ clock: service.clock, db: { ...service.db, read } } as unknown as OperatorDeps)
  expect(statements.size).toBeGreaterThan(0)
  const connection = otherConnection(service.path)
  return [...statements].flatMap(([sql, values]) => {
    const rows = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values.map(bindable)) as {
      detail: string
    }[]
    return rows.map(({ detail }) => detail)
  })
}
