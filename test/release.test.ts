import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectUrl } from '../src/project-url.ts'
import { finished, startChild } from './support/children.ts'
import { temporaryDirectory } from './support/service.ts'

const TEXTS = [
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'clients/typescript/package.json',
  'scripts/release.mjs',
]
const READY = `# Changelog

## [Unreleased]

## [0.3.0] - 2026-11-23

### Upgrading

- Nothing to do.

### For operators

- Something new.

## [0.1.0] - 2026-11-22

First version.
`

/** A repository of its own with what a release looks at, whose versions are 0.3.0. */
async function checkout() {
  const [directory, home] = [await temporaryDirectory(), await temporaryDirectory()]
  const git = (...args: string[]) => {
    const me = ['-c', 'user.name=Olivia', '-c', 'user.email=olivia@example.com']
    return execFileSync('git', [...me, ...args], { cwd: directory, encoding: 'utf8' }).trim()
  }
  const text = (path: string) => readFile(join(directory, path), 'utf8')
  const write = (path: string, content: string) => writeFile(join(directory, path), content)
  for (const path of TEXTS) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await cp(projectUrl(path), join(directory, path))
  }
  const version = async (path: string, to: string) => {
    await write(path, (await text(path)).replace(/"version": "[^"]+"/, `"version": "${to}"`))
  }
  for (const path of ['package.json', 'package-lock.json', 'clients/typescript/package.json'])
    await version(path, '0.3.0')
  git('init', '--quiet')
  git('config', 'user.name', 'Olivia')
  git('config', 'user.email', 'olivia@example.com')
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message', 'Version 0.3.0')
  }
  const release = (...options: string[]) =>
    finished(
      startChild(process.execPath, ['scripts/release.mjs', ...options], {
        cwd: directory,
        env: { HOME: home },
      }),
    )
  return { git, write, version, commit, release, text }
}

test('A release tags a version whose changelog says what to do, once', async () => {
  const { git, write, commit, release } = await checkout()
  await write('CHANGELOG.md', READY)
  const early = await release()
  expect([early.status, early.stderr]).toEqual([1, 'there are changes that are not committed\n'])
  commit()
  expect(await release('--check')).toMatchObject({ status: 0, stderr: '' })
  expect(git('tag')).toBe('')
  const first = await release()
  expect([first.status, first.stdout]).toEqual([
    0,
    'v0.3.0 is tagged; push it with: git push origin v0.3.0\n',
  ])
  expect(git('cat-file', '-t', 'v0.3.0')).toBe('tag')
  const second = await release()
  expect([second.status, second.stderr]).toEqual([1, 'the tag v0.3.0 exists already\n'])
})

test('What is not ready is refused, all of it at once, and nothing is tagged', async () => {
  const { git, write, version, commit, release } = await checkout()
  await write(
    'CHANGELOG.md',
    READY.replace('## [Unreleased]\n', '## [Unreleased]\n\n### Upgrading\n\n- Wait.\n')
      .replace('### Upgrading\n\n- Nothing to do.\n\n', '')
      .replace('2026-11-23', '2026-11-01'),
  )
  await version('clients/typescript/package.json', '0.2.0')
  await version('package.json', '0.4.0')
  commit()
  const { status, stderr } = await release()
  expect(status).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    'the versions in CHANGELOG.md are not in order, newest first',
    '[0.3.0] in CHANGELOG.md does not begin with "### Upgrading": what is to be done, or that nothing is',
    'clients/typescript has the version 0.2.0, not 0.4.0',
    'package-lock.json has the version 0.3.0, not 0.4.0',
    'something is still under [Unreleased]',
    'the newest version in CHANGELOG.md is 0.3.0, not 0.4.0',
  ])
  expect(git('tag')).toBe('')
  await write('CHANGELOG.md', READY.replace(' - 2026-11-23', ''))
  expect((await release('--check')).stderr).toContain('a version in CHANGELOG.md has no date')
  await write('CHANGELOG.md', READY.replace('## [Unreleased]\n', ''))
  expect((await release('--check')).stderr).toContain('CHANGELOG.md does not begin with [Unreleased]')
})

test('What is unreleased becomes a version of today, everywhere, in one commit with its tag', async () => {
  const { git, write, commit, release, text } = await checkout()
  const NEWS = '## [Unreleased]\n\n### Upgrading\n\n- Make a backup.\n'
  await write('CHANGELOG.md', READY.replace('## [Unreleased]\n', NEWS))
  commit()
  for (const refused of ['0.3.0', '0.2.9', '1', '01.0.0', '1.0.0-rc.1', 'next'])
    expect((await release(refused)).stderr).toBe(`${refused} is no version after 0.3.0\n`)
  expect(git('status', '--porcelain')).toBe('')
  const { status, stdout } = await release('minor')
  expect([status, stdout]).toEqual([0, 'v0.4.0 is tagged; push it with: git push origin HEAD v0.4.0\n'])
  const today = new Date().toISOString().slice(0, 10)
  expect(await text('CHANGELOG.md')).toBe(
    READY.replace(
      '## [Unreleased]\n',
      `## [Unreleased]\n\n## [0.4.0] - ${today}\n\n### Upgrading\n\n- Make a backup.\n`,
    ),
  )
  const packed = ['package.json', 'package-lock.json', 'clients/typescript/package.json']
  const versions = packed.map(async (path) => JSON.parse(await text(path)) as { version: string })
  expect((await Promise.all(versions)).map(({ version }) => version)).toEqual(['0.4.0', '0.4.0', '0.4.0'])
  const { packages } = JSON.parse(await text('package-lock.json')) as {
    packages: Record<string, { version?: string }>
  }
  expect(packages['']?.version).toBe('0.4.0')
  expect(git('show', '--stat', '--format=%s', 'v0.4.0^{commit}')).toMatch(
    /^Version 0\.4\.0\n[^]*4 files changed, 6 insertions\(\+\), 4 deletions\(-\)$/,
  )
  expect((await release('--check')).status).toBe(0)
  expect((await release('patch')).stderr).toBe('nothing is under [Unreleased]\n')
})
