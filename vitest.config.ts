import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    // A hang is a hang after a minute, too; a busy machine is none.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
