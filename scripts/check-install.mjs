/**
 * Runs after the installation: ends it with a clear message unless the native SQLite modules are there. They are optional to npm,
 * which would otherwise print a compiler's pages instead.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const load = createRequire(import.meta.url)
// As in src/core/database/driver.ts.
const driver = Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3'

/** Modules that cannot be used, with the reason. */
function missing() {
  return [driver, 'sqlite3'].flatMap((name) => {
    try {
      const module = load(name)
      // Only opening a database loads the binary of some of them.
      if (name === driver) new module(':memory:').close()
      return []
    } catch (error) {
      return [`  ${name}: ${error.message.split('\n')[0]}`]
    }
  })
}

// Version 13 brings its binaries; npm nevertheless calls the compiler for it, and removes it where there is none.
const npm = process.env.npm_execpath
if (npm && driver === 'better-sqlite3-13' && missing().some((line) => line.includes(driver))) {
  const again = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--silent']
  spawnSync(process.execPath, [npm, ...again], { cwd: fileURLToPath(new URL('..', import.meta.url)) })
  // This process would not look again for what it has not found.
  const env = { ...process.env, npm_execpath: '' }
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { env, stdio: 'inherit' })
  process.exit(status ?? 1)
}

const lines = missing()
if (lines.length > 0) {
  process.stderr.write(
    `These modules of SQLite are missing, because no prebuilt binary could be downloaded and none could be compiled:
${lines.join('\n')}
Compiling them needs Python 3, make and a C++ compiler: "apt-get install python3 make g++" on Debian and Ubuntu,
"xcode-select --install" on macOS, the workload "Desktop development with C++" of Visual Studio on Windows.
Install these and run "npm ci" again.
`,
  )
  process.exit(1)
}
