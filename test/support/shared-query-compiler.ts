import type { Plugin } from 'vitest/config'

interface Runtime {
  readonly QueryCompiler: new (options: unknown) => { free(): void }
}

/**
 * What Prisma loads of an engine, with one compiler of queries for all clients: it knows the schema and the engine, which are the same for
 * all of them, and nothing of a database. No client ends it.
 */
export function sharing(runtime: Runtime): Runtime {
  const { QueryCompiler } = runtime
  let shared: object | undefined
  const construct = (_: unknown, [options]: unknown[]) =>
    (shared ??= Object.assign(new QueryCompiler(options), { free: () => {} }))
  return { ...runtime, QueryCompiler: new Proxy<Runtime['QueryCompiler']>(QueryCompiler, { construct }) }
}

/**
 * Prisma reads the whole schema whenever a client is made: for tests, each of which opens a database, that would be a sixth of their time.
 * The clients of an engine share what has read it.
 */
export const sharedQueryCompiler: Plugin = {
  name: 'shared query compiler',
  transform(code, id) {
    if (!/src\/generated\/\w+\/internal\/class\.ts$/.test(id)) return undefined
    const shared = code.replace(
      /getRuntime: async \(\) => (await import\([^)]*\))/,
      'getRuntime: async () => sharing($1)',
    )
    if (shared === code) throw new Error(`Prisma has another way to its compiler of queries: ${id}`)
    return `import { sharing } from ${JSON.stringify(import.meta.filename)}\n${shared}`
  },
}
