/**
 * Writes the Prisma client, and the types of the tables for Kysely where its generator is installed: nothing needs them at run
 * time. `prisma generate` would first look for Prisma's native schema engine, which it does not use:
 * naming any executable spares the download, and makes it work offline.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const commands = join(root, 'node_modules', '.bin')
const prisma = join(
  dirname(createRequire(import.meta.url).resolve('prisma/package.json')),
  'build',
  'index.js',
)
const generators = existsSync(join(commands, 'prisma-kysely')) ? [] : ['--generator', 'client']

generate(...generators)

// A client is for one engine: PostgreSQL has the same models, with enums as plain texts, as SQLite has them.
const schema = readFileSync(join(root, 'prisma', 'schema.prisma'), 'utf8')
const enums = [...schema.matchAll(/^enum (\w+)/gm)].map(([, name]) => name)
const twin = schema
  .replace(/^enum \w+ \{[^}]*\}\n/gm, '')
  .replaceAll(new RegExp(`^(\\s+\\w+\\s+)(?:${enums.join('|')})\\b(.*)$`, 'gm'), (_, field, rest) => {
    return `${field}String${rest.replace(/@default\((\w+)\)/, '@default("$1")')}`
  })
  .replace(/^generator kysely \{[^}]*\}\n/m, '')
  .replace('"../src/generated/prisma"', '"../postgres"')
  .replace('provider = "sqlite"', 'provider = "postgresql"')
const folder = join(root, 'src', 'generated', 'schema')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'postgres.prisma'), twin)
generate('--schema', join(folder, 'postgres.prisma'), '--generator', 'client')

function generate(...options) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, 'generate', ...options], {
    cwd: root,
    env: {
      ...process.env,
      PATH: commands + delimiter + process.env.PATH,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
    encoding: 'utf8',
  })
  if (status !== 0) {
    process.stderr.write(stdout + stderr)
    process.exit(1)
  }
}
