/** Ends the process with one line unless this Node.js is one of those that package.json names, for which the service is tested. */
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor] = process.versions.node.split('.').map(Number)
/** `^20.19.0 || ^22.14.0 || …`: every range is a major version and its first minor one. */
const supported = engines.node.split(' || ').map((range) => range.slice(1).split('.').map(Number))

if (!supported.some(([atLeast, first]) => major === atLeast && minor >= first)) {
  const versions = supported.map(([version, first]) =>
    first ? `${version} (from ${version}.${first})` : version,
  )
  const named = `${versions.slice(0, -1).join(', ')} or ${versions.at(-1)}`
  process.stderr.write(`proxy-reseller runs on Node.js ${named}; this is ${process.version}.\n`)
  process.exit(1)
}
