import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withoutSecrets } from '../../src/cli/operator-log.ts'
import { command } from '../support/command-line.ts'
import { operator } from '../support/processes.ts'
import { databaseFile } from '../support/service.ts'

describe('the log of the operator', () => {
  it('has a line for each command, done or refused, without passwords', async () => {
    const database = await databaseFile()
    const log = join(dirname(database), 'operator.log')
    await operator(['agent', 'create', 'ann', '--password', 'a-secret-word', '--balance', '5'], { database })
    await command(['balance', 'nobody', '5', '--remark', 'gift\nforged'], { database })
    await expect(command(['frobnicate'], { database })).rejects.toThrow('unknown command')
    const text = await readFile(log, 'utf8')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    const who = {
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      by: expect.any(String),
      from: expect.any(String),
    }
    expect(lines).toEqual([
      {
        ...who,
        event: 'operator_command',
        command: ['agent', 'create', 'ann', '--password', '[secret]', '--balance', '5'],
        status: 0,
      },
      {
        ...who,
        event: 'operator_command',
        command: ['balance', 'nobody', '5', '--remark', 'gift\nforged'],
        status: 1,
      },
    ])
    expect(text).not.toContain('a-secret-word')
    expect((await stat(log)).mode & 0o777).toBe(0o600)
  })

  it('knows secrets in every way of typing them', () => {
    expect(
      withoutSecrets(['--password=x', '--new-password', 'y', '--token', 'z', '--password', '-', 'a']),
    ).toEqual([
      '--password=[secret]',
      '--new-password',
      '[secret]',
      '--token',
      '[secret]',
      '--password',
      '-',
      'a',
    ])
  })
})
