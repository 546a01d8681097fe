import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { finished, startChild } from '../support/children.ts'
import { root } from '../support/tethered.ts'
import { temporaryDirectory } from '../support/service.ts'

const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin',
  'cli.js',
)

interface Report {
  readonly problems: readonly { ruleId: string; message: string; location: readonly { pointer?: string }[] }[]
}

/** What `npx redocly lint` has to say about a document. It is told to call nobody. */
async function lint(file: string): Promise<string[]> {
  const args = ['lint', file, '--config', join(root, 'redocly.yaml'), '--format', 'json']
  const { stdout } = await finished(
    startChild(process.execPath, [redocly, ...args], {
      cwd: dirname(file),
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    }),
  )
  const { problems } = JSON.parse(stdout) as Report
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  )
}

test('Linters of OpenAPI documents have nothing to say about either variant', async () => {
  const { server } = await openApi()
  const directory = await temporaryDirectory()
  for (const variant of ['a', 'b']) {
    const file = join(directory, `${variant}.json`)
    await writeFile(file, (await server.inject(`/${variant}/api/openapi.json`)).body)
    expect(await lint(file)).toEqual([])
  }
})
