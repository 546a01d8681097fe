import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    // No module keeps a state of its own, so files may share them: half of the time went into loading them anew.
    isolate: false,
    // Many tests wait for a process, a timer of SQLite or a browser.
    maxWorkers: availableParallelism() + 1,
    // A hang is a hang after a minute, too; a busy machine is none.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
