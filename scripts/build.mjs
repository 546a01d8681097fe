/** Compiles src to dist when something has changed since the last build; prints nothing when all is well. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'dist', '.built')

/** Latest change below a file or folder, in milliseconds. */
function changed(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changed(join(path, name))))
}

const sources = ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].map((name) =>
  join(root, name),
)
if (!existsSync(stamp) || Math.max(...sources.map(changed)) > statSync(stamp).mtimeMs) {
  const generated = join(root, 'src', 'generated', 'prisma', 'client.ts')
  if (
    !existsSync(generated) ||
    changed(join(root, 'prisma', 'schema.prisma')) > statSync(generated).mtimeMs
  ) {
    await import('./generate.mjs')
  }
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
  // The page of the web chat is served as it is.
  cpSync(join(root, 'src', 'sandbox', 'web', 'page'), join(root, 'dist', 'sandbox', 'web', 'page'), {
    recursive: true,
  })
  writeFileSync(stamp, '')
}
