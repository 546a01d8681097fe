import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startChild } from '../support/children.ts'
import { command } from '../support/command-line.ts'
import { root } from '../support/tethered.ts'
import { databaseFile, temporaryDirectory } from '../support/service.ts'

const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

test.skipIf(!hasTerminals)(
  'whoever sits at a terminal is asked for the password, which is not shown there; Ctrl-C makes no agent',
  async () => {
    const database = join(await temporaryDirectory(), 'reseller.db')
    const create = async (keys: string) => {
      const line = `${process.execPath} ${root}dist/cli/operator.js agent create ann --password -`
      const terminal = startChild('script', ['-qec', line, '/dev/null'], {
        env: { DATABASE_URL: `file:${database}` },
      })
      let shown = ''
      terminal.stdout.on('data', (chunk: Buffer) => {
        if (shown === '') terminal.stdin.write(keys)
        shown += chunk.toString()
      })
      const [status] = (await once(terminal, 'close')) as [number]
      return { status, shown: shown.split(/[\r\n]+/) }
    }
    expect(await create('\x03')).toEqual({
      status: 1,
      shown: ['Password: ', 'There was no password on standard input', ''],
    })
    expect(await create('hunter22\r')).toEqual({
      status: 0,
      shown: ['Password: ', expect.stringMatching(/^Created agent ann \(id 1\)/), ''],
    })
    expect((await stat(database)).mode & 0o077).toBe(0)
  },
)

test('what nobody could type again is no password', async () => {
  const database = await databaseFile()
  const create = (stdin: string) =>
    command(['agent', 'create', 'ann', '--password', '-'], { database, stdin })
  for (const odd of ['\uFEFFsecret-pw', 'p\uFFFDsswort'])
    expect(await create(`${odd}\n`)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The password on standard input is not plain UTF-8\n',
    })
  expect((await create('p\u00e4sswort\n')).status).toBe(0)
})
