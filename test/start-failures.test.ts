import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { OperatorError } from '../src/core/operator-error.ts'
import { loadEnvFile } from '../src/env-file.ts'
import { DRIVERS } from '../src/suppliers/drivers.ts'
import { command } from './support/command-line.ts'
import { startProcess } from './support/process.ts'
import { operator } from './support/processes.ts'
import { SECRET } from './support/product.ts'
import { databaseFile, temporaryDirectory } from './support/service.ts'

const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'
const REAL = { PORT: '0', BOT_TOKEN: TOKEN, JWT_SECRET: SECRET, SECRETS_KEY: SECRET, GATEWAY_TOKEN: SECRET }

/** What a process that cannot start says, log lines left out. */
async function failedProcess(environment: Record<string, string>, directory: string): Promise<string> {
  const failure = await startProcess({ ...REAL, LOG_LEVEL: 'error', ...environment }, directory).then(
    async (process) => {
      await process.kill()
      return 'it started'
    },
    (error: Error) => error.message,
  )
  return failure.replace(/^the process ended with /, '')
}

/** What such a process would say, without one: all that it says of a fault of the operator is its message. */
async function failedStart(environment: Record<string, string>): Promise<string> {
  try {
    const app = await startApp(loadConfig({ ...REAL, ...environment }), pino({ level: 'silent' }))
    await app.stop()
    return 'it started'
  } catch (error) {
    if (error instanceof OperatorError) return error.message
    throw error
  }
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

const NO_DATABASE = 'This is a text and no database at all. '.repeat(100)

test('what the operator has to change is one line at the start, and exit status 1', async () => {
  const database = await databaseFile()
  const directory = await temporaryDirectory()
  const port = new URL(await telegramThatAnswers(404, 'nobody')).port
  const taken = { DATABASE_URL: `file:${database}`, PORT: port }
  expect(await failedProcess(taken, directory)).toBe(
    `1:\nPort ${port} of 127.0.0.1 is in use by another program: set another PORT\n`,
  )
  await mkdir(join(directory, '.env'))
  expect(await failedProcess({}, directory)).toMatch(/^1:\nThe file \.env cannot be read: [^\n]+\n$/)
})

test('whatever does not fit is said in one line', async () => {
  const directory = await temporaryDirectory()
  const fails = async (environment: Record<string, string>) =>
    failedStart({ DATABASE_URL: `file:${await databaseFile()}`, ...environment })
  for (const HOST of ['192.0.2.1', 'no-such-host.invalid'])
    expect(await fails({ HOST })).toBe(`HOST=${HOST} is no address of this machine`)

  await writeFile(join(directory, 'file'), '')
  for (const folder of ['file', 'file/below'])
    expect(await fails({ DATABASE_URL: `file:${directory}/${folder}/shop.db` })).toMatch(
      /^The file \S+ cannot be written: [^\n]+$/,
    )
  await writeFile(join(directory, 'text.db'), NO_DATABASE)
  expect(await fails({ DATABASE_URL: `file:${directory}/text.db` })).toMatch(
    /^The database \S+text\.db cannot be opened: file is not a database$/,
  )

  for (const [status, description] of [
    [401, 'Unauthorized'],
    [404, 'Not Found'],
  ] as const) {
    const TELEGRAM_API_ROOT = await telegramThatAnswers(status, description)
    expect(await fails({ TELEGRAM_API_ROOT })).toBe(`Telegram refuses BOT_TOKEN: ${description}`)
  }

  const database = await databaseFile()
  const running = await startProcess(
    { ...REAL, DATABASE_URL: `file:${database}`, TELEGRAM_API_ROOT: 'http://127.0.0.1:9' },
    directory,
  )
  expect(await fails({ DATABASE_URL: `file:${database}` })).toBe(
    'Another server is running on this database. Stop it first, or set another DATABASE_URL.',
  )
  await running.kill()
})

test('commands say the same in one line, as JSON too', async () => {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'file'), '')
  await writeFile(join(directory, 'text.db'), NO_DATABASE)
  const create = (name: string, ...more: string[]) =>
    command(['agent', 'create', 'ann', '--password', '-', ...more], {
      database: join(directory, name),
      drivers: DRIVERS,
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
  await writeFile(file, `\uFEFF${text}`)
  expect(await failedProcess({ BOT_TOKEN: '' }, directory)).toMatch(
    /^1:[^]*BOT_TOKEN is missing: with NODE_ENV=production the sandbox never starts/,
  )

  /** What the file sets, or what is wrong with it. */
  const read = async (content: string | Buffer) => {
    await writeFile(file, content)
    const { NODE_ENV } = process.env
    const folder = process.cwd()
    delete process.env['NODE_ENV']
    process.chdir(directory)
    try {
      loadEnvFile()
      return { NODE_ENV: process.env['NODE_ENV'], MULTIPLE: process.env['MULTIPLE'] }
    } catch (error) {
      if (error instanceof OperatorError) return error.message
      throw error
    } finally {
      process.chdir(folder)
      delete process.env['MULTIPLE']
      process.env['NODE_ENV'] = NODE_ENV
    }
  }
  const set = { NODE_ENV: 'production', MULTIPLE: 'two\nlines' }
  expect(await read(text)).toEqual(set)
  expect(await read(`\uFEFF${text}`)).toEqual(set)
  for (const bytes of [`\uFEFF${text}`, text].map((each) => Buffer.from(each, 'utf16le')))
    expect(await read(bytes)).toBe('The file .env is not encoded in UTF-8: save it as UTF-8, and start again')
  for (const line of ['BOT_TOKEN: 42:x', 'BOT_TOKEN', '[shop]'])
    expect(await read(`${text}# say="x\n\n${line}\n`)).toBe(
      'The file .env cannot be used: line 6 is neither NAME=value nor a # comment',
    )
  await writeFile(join(directory, 'jwt-secret'), Buffer.from('x'.repeat(40), 'utf16le'))
  const settings = { ...REAL, JWT_SECRET: '', DATABASE_URL: `file:${directory}/reseller.db` }
  expect(() => loadConfig(settings)).toThrow(/jwt-secret is not encoded in UTF-8: save it as UTF-8/)
})
