/**
 * `npm run release -- VERSION` (or `major`, `minor`, `patch`: the next one after the newest in the changelog): what is under [Unreleased]
 * becomes this version, of today; it is written wherever a version stands, committed and tagged. `npm run release`: tags the version
 * that is there. `npm run release -- --check`: only checks the texts. Whatever does not fit is refused before anything is changed: versions,
 * changelog and tree have to agree, and every version says how to upgrade to it.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(`${root}${path}`, 'utf8')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const [, , wanted] = process.argv
const onlyTexts = wanted === '--check'
const isNew = wanted !== undefined && !onlyTexts
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

const name = isNew ? next(released[0]?.name ?? '0.0.0', wanted) : version
if (!onlyTexts) {
  if (isNew) {
    expectThat(name !== undefined, `${wanted} is no version after ${released[0]?.name}`)
    expectThat(unreleased?.notes !== '', 'nothing is under [Unreleased]')
  } else {
    expectThat(unreleased?.notes === '', 'something is still under [Unreleased]')
    expectThat(
      released[0]?.name === version,
      `the newest version in CHANGELOG.md is ${released[0]?.name}, not ${version}`,
    )
  }
  expectThat(git('status', '--porcelain') === '', 'there are changes that are not committed')
  expectThat(git('tag', '--list', `v${name}`) === '', `the tag v${name} exists already`)
}
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`)
  process.exit(1)
}
if (isNew) {
  const today = new Date().toISOString().slice(0, 10)
  const files = ['package.json', 'package-lock.json', 'clients/typescript/package.json']
  write(
    'CHANGELOG.md',
    changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${name}] - ${today}\n`),
  )
  for (const path of files) {
    // A lock file begins with two of them.
    const first = path === 'package-lock.json' ? 2 : 1
    let count = 0
    const named = (found, before) => ((count += 1) <= first ? `${before}"${name}"` : found)
    write(path, read(path).replaceAll(/("version": )"[^"]*"/g, named))
  }
  git('commit', '--quiet', '--all', '--message', `Version ${name}`)
}
if (!onlyTexts) {
  git('tag', '--annotate', `v${name}`, '--message', `Version ${name}`)
  process.stdout.write(`v${name} is tagged; push it with: git push origin ${isNew ? 'HEAD ' : ''}v${name}\n`)
}

function write(path, text) {
  writeFileSync(`${root}${path}`, text)
}

/** The version that is wanted after another one; undefined for none. */
function next(last, which) {
  const [major, minor, patch] = last.split('.').map(Number)
  const steps = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  }
  if (steps[which]) return steps[which]
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(which)) return undefined
  const parts = which.split('.').map(Number)
  const at = [major, minor, patch].findIndex((part, index) => part !== parts[index])
  return at !== -1 && parts[at] > [major, minor, patch][at] ? which : undefined
}
