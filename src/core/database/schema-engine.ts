import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import * as engineBindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import type { DiffTarget, MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg'
import { projectUrl } from '../../project-url.ts'
import { migrationNames, migrationsDirectory } from './migration-names.ts'

const NO_FILTER = { externalTables: [], externalEnums: [] }

/** `WebAssembly.instantiate`, which the type declarations of Node.js leave out. */
const wasmRuntime = (
  globalThis as unknown as {
    WebAssembly: {
      instantiate(
        wasm: Uint8Array,
        imports: object,
      ): Promise<{ instance: { exports: Record<string, unknown> } }>
    }
  }
).WebAssembly

/** The WebAssembly module; its JavaScript bindings can hold only one instance, which has no state. */
let instantiated: Promise<void> | undefined

async function instantiate(): Promise<void> {
  const bindings = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const wasm = await readFile(bindings.replace(/js$/, 'wasm'))
  const { instance } = await wasmRuntime.instantiate(wasm, { './schema_engine_bg.js': engineBindings })
  engineBindings.__wbg_set_wasm(instance.exports)
  ;(instance.exports['__wbindgen_start'] as () => void)()
}

/**
 * Prisma's own schema engine as WebAssembly: `prisma migrate` would download a native one first. Migrations applied with it are
 * recorded as `prisma migrate deploy` records them, so both can be used on one database.
 *
 * @param adapter connection to the database to work on
 */
async function schemaEngine(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<SchemaEngine> {
  await (instantiated ??= instantiate())
  return engineBindings.SchemaEngine.new(
    { datamodels: [await prismaSchema()] },
    () => {},
    bindMigrationAwareSqlAdapterFactory({
      ...adapter,
      connect: async () => withQuotedNames(await adapter.connect()),
      connectToShadowDb: async () => withQuotedNames(await adapter.connectToShadowDb()),
    }),
  )
}

/** The engine looks partial indexes up with a double-quoted string, which this build of SQLite takes for a column name. */
function withQuotedNames(connection: SqlDriverAdapter): SqlDriverAdapter {
  const queryRaw: SqlDriverAdapter['queryRaw'] = (query) =>
    connection.queryRaw({ ...query, sql: query.sql.replace(/ AND name = "(\w+)";$/, " AND name = '$1'") })
  return { ...connection, queryRaw }
}

async function prismaSchema(): Promise<[path: string, content: string]> {
  return ['schema.prisma', await readFile(projectUrl('prisma/schema.prisma'), 'utf8')]
}

async function migrations(): Promise<MigrationList> {
  const read = (path: string) => readFile(new URL(path, migrationsDirectory), 'utf8')
  return {
    baseDir: fileURLToPath(migrationsDirectory),
    lockfile: { path: 'migration_lock.toml', content: await read('migration_lock.toml') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      (await migrationNames()).map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok' as const, value: await read(`${path}/migration.sql`) },
        },
      })),
    ),
  }
}

/** The SQL that leads from the migrations to the Prisma schema; empty when they agree. */
export async function schemaDiff(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<string> {
  const [path, content] = await prismaSchema()
  const engine = await schemaEngine(adapter)
  const { exitCode, stdout } = await engine.diff({
    from: { tag: 'migrations', ...(await migrations()) },
    to: { tag: 'schemaDatamodel', files: [{ path, content }], configDir: '' } as DiffTarget,
    script: true,
    exitCode: true,
    filters: NO_FILTER,
  })
  return exitCode === 0 ? '' : (stdout ?? '')
}

/** Applies the migrations that the database does not have yet. */
export async function applyMigrations(adapter: SqlMigrationAwareDriverAdapterFactory): Promise<void> {
  const engine = await schemaEngine(adapter)
  await engine.applyMigrations({ migrationsList: await migrations(), filters: NO_FILTER })
}
