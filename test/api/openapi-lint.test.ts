import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { temporaryDirectory } from '../support/service.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
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
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [redocly, 'lint', file, '--config', join(root, 'redocly.yaml'), '--format', 'json'],
      {
        cwd: dirname(file),
        env: { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
      (_error, stdout) => resolve(stdout),
    )
  })
  const { problems } = JSON.parse(output) as Report
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
