/**
 * Writes the Prisma client. `prisma generate` would first look for Prisma's native schema engine, which it does not use:
 * naming any executable spares the download, and makes it work offline.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const prisma = join(
  dirname(createRequire(import.meta.url).resolve('prisma/package.json')),
  'build',
  'index.js',
)
const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, 'generate'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: {
    ...process.env,
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
