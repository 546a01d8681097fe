/** Compiles src to dist when something has changed since the last build; prints nothing when all is well. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const stamp = join(dist, '.built')

/** Libraries with native code, or which load files of their own: Node.js finds them in node_modules. */
const external = [
  // Not used: the schemas of routes are zod's.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  '@prisma/client',
  '@prisma/schema-engine-wasm',
  '@resvg/resvg-js',
  'pg-native',
  'pino',
  'sqlite3',
]
/** Of libraries that are CommonJS. */
const COMMON_JS = `import { createRequire as createRequireOf } from 'node:module'
import { dirname as directoryOf } from 'node:path'
import { fileURLToPath as pathOf } from 'node:url'
const require = createRequireOf(import.meta.url), __filename = pathOf(import.meta.url), __dirname = directoryOf(__filename)`
const EMPTY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64')
/** Source maps name our own files alone: a map of all libraries would be parsed at each start. */
const librariesWithoutMap = {
  name: 'libraries without map',
  setup: (build) =>
    build.onLoad({ filter: /node_modules.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`,
    })),
}

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
  const { build } = await import('esbuild')
  // Four programs and what they share, libraries included, in few files: a thousand small ones would take half of a start.
  await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts', 'src/cli/operator.ts', 'src/gateway/main.ts', 'src/backup/worker.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    external,
    // For Node.js without a class URL, says node-fetch.
    alias: { 'whatwg-url': 'node:url' },
    banner: { js: COMMON_JS },
    plugins: [librariesWithoutMap],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    minifyWhitespace: true,
    logLevel: 'warning',
  })
  writeFileSync(stamp, '')
  utimesSync(stamp, began, began)
}
