/**
 * Runs after the installation: gets the native SQLite modules and writes the Prisma client, at the same time. npm itself would compile
 * one module after the other, and all with the strongest optimisation; so their own scripts are not allowed to run (`allowScripts` of
 * package.json), where npm knows that setting. The modules are optional to npm, which would otherwise print a compiler's pages.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const load = createRequire(import.meta.url)
// As in src/core/database/driver.ts.
const driver = Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3'
/** With what each is compiled where there is no binary to download. sqlite3 only copies files, and compiles twice as fast so. */
const flags = { 'better-sqlite3': '-O2', sqlite3: '-O0' }

/** Why a module cannot be used; undefined when it can. */
function problemOf(name) {
  try {
    const module = load(name)
    // Only opening a database loads the binary of some of them.
    if (name === driver) new module(':memory:').close()
    return undefined
  } catch (error) {
    return error.message.split('\n')[0]
  }
}

/** Downloads the binary of a module, or compiles it, as its own script does; nothing where npm has removed it. */
async function make(name) {
  const folder = join(root, 'node_modules', name)
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) return
  const { scripts } = JSON.parse(readFileSync(manifest, 'utf8'))
  const CFLAGS = `${process.env.CFLAGS ?? ''} ${flags[name]}`
  const PATH = join(root, 'node_modules', '.bin') + delimiter + process.env.PATH
  const env = { ...process.env, PATH, CFLAGS, CXXFLAGS: CFLAGS }
  const making = spawn(scripts.install, { cwd: folder, shell: true, stdio: 'ignore', env })
  await new Promise((resolve) => making.on('close', resolve))
  // What the compiler leaves takes 40 MB.
  for (const left of ['obj', 'obj.target', '.deps', 'sqlite3.a'])
    rmSync(join(folder, 'build', 'Release', left), { recursive: true, force: true })
}

// Version 13 brings its binaries; an npm that calls the compiler for it nevertheless removes it where there is none.
const npm = process.env.npm_execpath
if (npm && driver === 'better-sqlite3-13' && problemOf(driver)) {
  const again = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--silent']
  spawnSync(process.execPath, [npm, ...again], { cwd: root })
  // This process would not look again for what it has not found.
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], {
    env: { ...process.env, npm_execpath: '' },
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}

const generating = spawn(process.execPath, [join(root, 'scripts', 'generate.mjs')], { stdio: 'inherit' })
const generated = new Promise((resolve) => generating.on('close', resolve))
const needed = [driver, 'sqlite3']
await Promise.all(needed.filter((name) => name in flags && problemOf(name)).map(make))
const problems = needed.flatMap((name) => {
  const problem = problemOf(name)
  return problem ? [`  ${name}: ${problem}`] : []
})
if (problems.length > 0)
  process.stderr.write(
    `These modules of SQLite are missing, because no prebuilt binary could be downloaded and none could be compiled:
${problems.join('\n')}
Compiling them needs Python 3, make and a C++ compiler: "apt-get install python3 make g++" on Debian and Ubuntu,
"xcode-select --install" on macOS, the workload "Desktop development with C++" of Visual Studio on Windows.
Install these and run "npm ci" again.
`,
  )
if ((await generated) !== 0 || problems.length > 0) process.exit(1)
