/** node scripts/run.mjs MODULE [ARGUMENT …]: compiles what has changed, then runs dist/MODULE.js in this very process, which gets its signals. */
await import('./check-node.mjs')
const [module] = process.argv.splice(2, 1)
await import('./build.mjs')
await import(new URL(`../dist/${module}.js`, import.meta.url).href)
