import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from './support/process.ts'
import { operator } from './support/processes.ts'
import { SECRET } from './support/product.ts'
import { temporaryDirectory } from './support/service.ts'

const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'

/** What a process that cannot start says, log lines left out. */
async function failedStart(environment: Record<string, string>, directory: string): Promise<string> {
  const database = join(directory, 'reseller.db')
  const failure = await startProcess(
    { PORT: '0', DATABASE_URL: `file:${database}`, LOG_LEVEL: 'error', ...environment },
    directory,
  ).then(
    async (process) => {
      await process.kill()
      return 'it started'
    },
    (error: Error) => error.message,
  )
  return failure.replace(/^the process ended with /, '')
}

/** A Bot API server that answers every call like this. */
async function telegramThatAnswers(status: number, description: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ok: false, error_code: status, description }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('what the operator has to change is one line at the start, and exit status 1', async () => {
  const directory = await temporaryDirectory()
  const fails = (environment: Record<string, string>) => failedStart(environment, directory)
  const real = { BOT_TOKEN: TOKEN, JWT_SECRET: SECRET, DATABASE_URL: `file:${directory}/real.db` }
  const port = new URL(await telegramThatAnswers(404, 'nobody')).port
  expect(await fails({ ...real, PORT: port })).toBe(
    `1:\nPort ${port} of 127.0.0.1 is in use by another program: set another PORT\n`,
  )
  for (const HOST of ['192.0.2.1', 'no-such-host.invalid'])
    expect(await fails({ ...real, HOST })).toBe(`1:\nHOST=${HOST} is no address of this machine\n`)

  await writeFile(join(directory, 'file'), '')
  for (const folder of ['file', 'file/below'])
    expect(await fails({ DATABASE_URL: `file:${directory}/${folder}/shop.db` })).toMatch(
      /^1:\nThe file \S+ cannot be written: [^\n]+\n$/,
    )
  await writeFile(join(directory, 'text.db'), 'This is a text and no database at all. '.repeat(100))
  expect(await fails({ DATABASE_URL: `file:${directory}/text.db` })).toMatch(
    /^1:\nThe database \S+text\.db cannot be opened: file is not a database\n$/,
  )

  for (const [status, description] of [
    [401, 'Unauthorized'],
    [404, 'Not Found'],
  ] as const) {
    const TELEGRAM_API_ROOT = await telegramThatAnswers(status, description)
    expect(await fails({ ...real, TELEGRAM_API_ROOT })).toBe(
      `1:\nTelegram refuses BOT_TOKEN: ${description}\n`,
    )
  }

  const running = await startProcess({ PORT: '0', DATABASE_URL: `file:${directory}/reseller.db` }, directory)
  onTestFinished(running.kill)
  expect(await fails({})).toBe(
    '1:\nAnother server is running on this database. Stop it first, or set another DATABASE_URL.\n',
  )

  await mkdir(join(directory, '.env'))
  expect(await fails({})).toMatch(/^1:\nThe file \.env cannot be read: [^\n]+\n$/)
})

test('commands say the same in one line, as JSON too', async () => {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'file'), '')
  await writeFile(join(directory, 'text.db'), 'This is a text and no database at all. '.repeat(100))
  const create = (name: string, ...more: string[]) =>
    operator(['agent', 'create', 'ann', '--password', '-', ...more], {
      database: join(directory, name),
      stdin: 'a-password\n',
    })
  const unwritable = await create('file/shop.db')
  expect(unwritable).toMatchObject({ status: 1, stdout: '' })
  expect(unwritable.stderr).toMatch(/^The database \S+ cannot be opened: [^\n]+\n$/)
  const damaged = await create('text.db', '--json')
  expect(damaged).toMatchObject({ status: 1, stderr: '' })
  expect(JSON.parse(damaged.stdout)).toEqual({
    error: 'unavailable',
    message: `The database ${join(directory, 'text.db')} cannot be opened: file is not a database`,
    data: null,
  })

  await mkdir(join(directory, '.env'))
  const { status, stderr } = await operator(['agent', 'list'], { cwd: directory })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^The file \.env cannot be read: [^\n]+\n$/)])
})

test('a .env that Windows has saved is read or refused, and never makes a sandbox of a shop', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory, '.env')
  const text = `NODE_ENV=production\r\nMULTIPLE="two\r\nlines" # with a comment\r\n`
  const starts = async (content: string | Buffer) => {
    await writeFile(file, content)
    return failedStart({}, directory)
  }
  const refused = /BOT_TOKEN is missing: with NODE_ENV=production the sandbox never starts/
  expect(await starts(text)).toMatch(refused)
  expect(await starts(`\uFEFF${text}`)).toMatch(refused)
  for (const bytes of [`\uFEFF${text}`, text].map((each) => Buffer.from(each, 'utf16le')))
    expect(await starts(bytes)).toBe(
      '1:\nThe file .env is not encoded in UTF-8: save it as UTF-8, and start again\n',
    )
  for (const line of ['BOT_TOKEN: 42:x', 'BOT_TOKEN', '[shop]'])
    expect(await starts(`${text}# say="x\n\n${line}\n`)).toBe(
      '1:\nThe file .env cannot be used: line 6 is neither NAME=value nor a # comment\n',
    )
  await writeFile(file, '')
  await writeFile(join(directory, 'jwt-secret'), Buffer.from('x'.repeat(40), 'utf16le'))
  expect(await failedStart({}, directory)).toMatch(/jwt-secret is not encoded in UTF-8: save it as UTF-8/)
})
