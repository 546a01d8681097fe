import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { finished, startChild } from './support/children.ts'
import { root } from './support/tethered.ts'

/** The check as it goes on a version of Node.js. */
function checkOn(version: string) {
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
                Object.defineProperty(process, 'version', { value: 'v${version}' })`
  const preload = `data:text/javascript,${encodeURIComponent(fake)}`
  return finished(
    startChild(process.execPath, ['--import', preload, join(root, 'scripts', 'check-node.mjs')]),
  )
}

test('A Node.js that was not tested is refused in one line, which names those that were', async () => {
  for (const version of ['20.19.0', '20.20.2', '22.14.0', '24.0.0', '24.21.0'])
    expect([version, await checkOn(version)]).toEqual([version, { status: 0, stdout: '', stderr: '' }])
  for (const version of ['18.20.8', '20.18.3', '22.13.1', '26.1.0'])
    expect(await checkOn(version)).toEqual({
      status: 1,
      stdout: '',
      stderr: `proxy-reseller runs on Node.js 20 (from 20.19), 22 (from 22.14) or 24; this is v${version}.\n`,
    })
  // npm refuses the same ones before it installs anything.
  const { engines, devEngines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(devEngines.runtime.version).toBe(engines.node)
})
