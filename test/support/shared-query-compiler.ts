import type { Plugin } from 'vitest/config'

interface Runtime {
  readonly QueryCompiler: new (options: unknown) => { free(): void }
}

/** Its compiler of queries keeps nothing of a database: it is made once, and never ended. */
export function sharing(runtime: Runtime): Runtime {
  let shared: InstanceType<Runtime['QueryCompiler']> | undefined
  class SharedQueryCompiler {
    constructor(options: unknown) {
      shared ??= Object.assign(new runtime.QueryCompiler(options), { free: () => {} })
      return shared
    }

    free(): void {}
  }
  return { ...runtime, QueryCompiler: SharedQueryCompiler }
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
