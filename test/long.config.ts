import { defineConfig } from 'vitest/config'
import quick from '../vitest.config.ts'

/** What takes long and seldom finds something: all of it before a release, else a part: `npm run test:long -- --shard=3/10`. */
export default defineConfig({
  ...quick,
  root: new URL('..', import.meta.url).pathname,
  test: { ...quick.test, include: ['test/**/*.long.test.ts'], exclude: ['**/node_modules/**'] },
})
