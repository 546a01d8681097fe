/** Compiles src to dist when something has changed since the last build; prints nothing when all is well. */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'dist', '.built')

/** Latest change below a file or folder, in milliseconds. */
function changed(path) {
  const stat = statSync(path)
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
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  // Two programs and what they share, in three files: hundreds of small ones would take a quarter of a start to load.
  await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts', 'src/cli/operator.ts'],
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
}
