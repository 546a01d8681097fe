/** Compiles src to dist when something has changed since the last build; prints nothing when all is well. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')

/** Latest change below a file or folder, in milliseconds. */
function changed(path) {
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changed(join(path, name))))
}

const sources = ['src', 'scripts', 'tsconfig.json', 'package-lock.json'].map((name) => join(root, name))
if (!existsSync(stamp) || Math.max(...sources.map(changed)) > statSync(stamp).mtimeMs) {
  const generated = join(root, 'src', 'generated', 'prisma', 'client.ts')
  if (
    !existsSync(generated) ||
    changed(join(root, 'prisma', 'schema.prisma')) > statSync(generated).mtimeMs
  ) {
    await import('./generate.mjs')
  }
  // What changes while this runs is compiled at the next start.
  const began = new Date()
  try {
    rmSync(dist, { recursive: true, force: true })
    mkdirSync(dist)
  } catch (error) {
    process.stderr.write(
      `The program cannot be compiled: ${error.message}. Run "npm run build" as a user who may write there.\n`,
    )
    process.exit(1)
  }
  // Four programs, a thread and what they share, in few files: hundreds of small ones would take a quarter of a start to load.
  await build({
    absWorkingDir: root,
    entryPoints: [
      'src/main.ts',
      'src/cli/operator.ts',
      'src/gateway/main.ts',
      'src/gateway/shop-thread.js',
      'src/backup/worker.ts',
    ],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  })
  writeFileSync(stamp, '')
  utimesSync(stamp, began, began)
}
