import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { HANG_MS } from './test/support/patience.ts'
import { scratchFolder } from './test/support/scratch-folder.ts'
import { sharedQueryCompiler } from './test/support/shared-query-compiler.ts'

export default defineConfig({
  plugins: [sharedQueryCompiler],
  test: {
    globalSetup: ['test/support/build.ts', 'test/support/left-behind.ts', 'test/support/on-postgres.ts'],
    setupFiles: [
      'test/support/lean-wasm.ts',
      'test/support/seed.ts',
      'test/support/mark-run.ts',
      'test/support/record-statements.ts',
    ],
    env: { TMPDIR: scratchFolder() },
    pool: 'forks',
    // No module keeps a state of its own, so files may share them: half of the time went into loading them anew.
    isolate: false,
    // What a test waits for gives up first, and says what it waited for.
    testTimeout: 4 * HANG_MS,
    hookTimeout: 4 * HANG_MS,
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.long.test.ts', 'test/fixtures/**', '**/node_modules/**'],
    // Many tests wait for a process, a timer of SQLite or a browser.
    maxWorkers: availableParallelism() + 1,
  },
})
