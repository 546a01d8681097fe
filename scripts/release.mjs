/**
 * `npm run release [-- --check]`: checks that versions, changelog and tree agree and that every version says how to upgrade to it, and
 * makes the tag; with `--check` only checks the texts.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(`${root}${path}`, 'utf8')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const onlyTexts = process.argv.includes('--check')
const faults = []
const expectThat = (right, fault) => right || faults.push(fault)

const { version } = JSON.parse(read('package.json'))
const changelog = read('CHANGELOG.md')
const [, ...sections] = changelog.split(/^## /m)
const releases = sections.map((section) => {
  const [title, ...lines] = section.split('\n')
  const [, name, date] = /^\[(.+?)\](?: - (\S+))?$/.exec(title) ?? []
  return { name, date, notes: lines.join('\n').trim() }
})
const [unreleased, ...released] = releases

expectThat(unreleased?.name === 'Unreleased', 'CHANGELOG.md does not begin with [Unreleased]')
expectThat(
  released.length > 0 && released.every(({ date }) => /^\d{4}-\d\d-\d\d$/.test(date ?? '')),
  'a version in CHANGELOG.md has no date',
)
expectThat(
  released.every(({ date }, index) => index === 0 || date <= released[index - 1].date),
  'the versions in CHANGELOG.md are not in order, newest first',
)
// The first version has nothing before it.
for (const { name, notes } of releases.slice(0, -1))
  expectThat(
    notes === '' || notes.startsWith('### Upgrading\n'),
    `[${name}] in CHANGELOG.md does not begin with "### Upgrading": what is to be done, or that nothing is`,
  )
const client = JSON.parse(read('clients/typescript/package.json'))
expectThat(client.version === version, `clients/typescript has the version ${client.version}, not ${version}`)
const lock = JSON.parse(read('package-lock.json'))
expectThat(lock.version === version, `package-lock.json has the version ${lock.version}, not ${version}`)

if (!onlyTexts) {
  expectThat(unreleased?.notes === '', 'something is still under [Unreleased]')
  expectThat(
    released[0]?.name === version,
    `the newest version in CHANGELOG.md is ${released[0]?.name}, not ${version}`,
  )
  expectThat(git('status', '--porcelain') === '', 'there are changes that are not committed')
  expectThat(git('tag', '--list', `v${version}`) === '', `the tag v${version} exists already`)
}
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`)
  process.exit(1)
}
if (!onlyTexts) {
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
  process.stdout.write(`v${version} is tagged; push it with: git push origin v${version}\n`)
}
