import { expect } from 'vitest'
import type { ReadClient } from '../../src/core/database/database.ts'
import type { CoreDeps } from '../../src/core/deps.ts'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { otherConnection, type Service } from './service.ts'

/** Lines of the plans by which SQLite carries out what a use case reads. */
export async function plansOf(
  service: Pick<Service, 'path' | 'clock' | 'db'>,
  useCase: (deps: CoreDeps) => Promise<unknown>,
): Promise<string[]> {
  const statements: Prisma.Sql[] = []
  const read = {
    $queryRaw: (first: Prisma.Sql | TemplateStringsArray, ...values: unknown[]) => {
      statements.push('sql' in first ? first : Prisma.sql(first, ...values))
      return service.db.read.$queryRaw(first, ...values)
    },
  } as unknown as ReadClient
  await useCase({ clock: service.clock, db: { ...service.db, read } } as unknown as CoreDeps)
  expect(statements.length).toBeGreaterThan(0)
  const connection = otherConnection(service.path)
  return statements.flatMap(({ sql, values }) => {
    const rows = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values.map(bindable)) as {
      detail: string
    }[]
    return rows.map(({ detail }) => detail)
  })
}

function bindable(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? Number(value) : value
}
