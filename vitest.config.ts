import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** What is claimed about time holds on a machine that does nothing else meanwhile. */
const TIMING = 'test/**/*.timing.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/seed.ts'],
    pool: 'forks',
    // No module keeps a state of its own, so files may share them: half of the time went into loading them anew.
    isolate: false,
    // A hang is a hang after a minute, too; a busy machine is none.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [TIMING],
          // Many tests wait for a process, a timer of SQLite or a browser.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: [TIMING], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
