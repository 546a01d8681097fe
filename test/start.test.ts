import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { productVersion } from '../src/product-version.ts'
import { PATIENCE } from './support/patience.ts'
import { startProcess } from './support/process.ts'
import { operator } from './support/processes.ts'
import { SECRET } from './support/product.ts'
import { sandboxFolder } from './support/sandbox-folder.ts'
import { databaseFile, temporaryDirectory } from './support/service.ts'

const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'

/** The status of a request under another name, which fetch does not let one choose. */
async function statusUnder(host: string, address: string): Promise<number | undefined> {
  const [answer] = (await once(get(address, { headers: { host } }), 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

describe('starting the service', () => {
  const sandboxIn = (directory: string) => ({ PORT: '0', DATABASE_URL: `file:${directory}/reseller.db` })
  let directory: string
  let sandbox: Record<string, string>

  beforeEach(async () => {
    directory = await temporaryDirectory()
    sandbox = sandboxIn(directory)
  })

  it('starts as a sandbox with nothing set, keeps a secret of its own, and stops cleanly', async () => {
    const process = await startProcess(sandbox, directory)
    expect(process.output()).toMatch(/sandbox +http:\/\/127\.0\.0\.1:\d+\/sandbox\//)
    expect((await fetch(`${process.address}/readyz`)).status).toBe(200)
    // No line per request hides the address.
    expect(process.output()).not.toContain('"msg":"request"')
    expect((await fetch(`${process.address}/metrics`)).status).toBe(200)
    expect(await statusUnder('evil.example', process.address)).toBe(421)
    expect(await process.terminate()).toBe(0)
    const secret = join(directory, 'jwt-secret')
    expect((await stat(secret)).mode & 0o777).toBe(0o600)
    expect((await readFile(secret, 'utf8')).length).toBeGreaterThanOrEqual(32)
    expect(process.output()).not.toContain(await readFile(secret, 'utf8'))
  })

  it('says what runs and where in its log, as people read it where they like, and is silent about monitors', async () => {
    const directory = await sandboxFolder()
    const { output, address, terminate } = await startProcess(
      { ...sandboxIn(directory), LOG_LEVEL: 'info', LOG_FORMAT: 'iso' },
      directory,
    )
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    await vi.waitUntil(async () => (await fetch(`${address}/readyz`)).status === 200, PATIENCE)
    expect((await fetch(`${address}/api/nothing`)).status).toBe(404)
    await terminate()
    const lines = output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.find(({ msg }) => msg === 'ready')).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      version: productVersion(),
      addresses: { api: `${address}/api` },
    })
    expect(lines.filter(({ msg }) => msg === 'request').map(({ status }) => status)).toEqual([404])
  })

  it('finds the same accounts and balances the second time', async () => {
    const directory = await sandboxFolder()
    const process = await startProcess(sandboxIn(directory), directory)
    const login = await fetch(`${process.address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'agent', password: 'agent-demo' }),
    })
    expect(await login.json()).toMatchObject({ data: { user: { balance: 1000 } } })
    await process.terminate()
  })

  it('names every problem of the configuration at once', async () => {
    const start = startProcess(
      {
        ...sandbox,
        PORT: '99999',
        API_VARIANT: 'C',
        LOG_LEVEL: 'loud',
        BOT_TOKEN: 'x',
        JWT_SECRET: 'short',
        RATE_LIMIT_READS: 'many',
        TRUSTED_PROXIES: '10.0.0.1, proxy',
        METRICS_TOKEN: 'short',
      },
      directory,
    )
    await expect(start).rejects.toThrow(
      /ended with 1[^]*PORT[^]*JWT_SECRET[^]*API_VARIANT[^]*BOT_TOKEN[^]*RATE_LIMIT_READS[^]*TRUSTED_PROXIES[^]*METRICS_TOKEN[^]*LOG_LEVEL/,
    )
  })

  it('does not serve customers from a database of the sandbox', async () => {
    const directory = await sandboxFolder()
    const environment = { ...sandboxIn(directory), BOT_TOKEN: TOKEN, JWT_SECRET: SECRET }
    const start = startProcess(environment, directory)
    await expect(start).rejects.toThrow('This database was made by the sandbox')
  })

  it('makes a secret again where a kill left none in its file, and shows nothing that it writes to other users', async () => {
    const directory = await sandboxFolder()
    const environment = sandboxIn(directory)
    const secret = join(directory, 'jwt-secret')
    await rm(secret)
    await writeFile(secret, '', { mode: 0o644 })
    const process = await startProcess(environment, directory)
    expect((await readFile(secret, 'utf8')).length).toBeGreaterThanOrEqual(32)
    const files = await readdir(directory)
    expect(files).toEqual(expect.arrayContaining(['jwt-secret', 'reseller.db', 'reseller.db-wal']))
    for (const file of files)
      expect([file, (await stat(join(directory, file))).mode & 0o077]).toEqual([file, 0])
    await process.terminate()

    await writeFile(secret, 'short')
    await expect(startProcess(environment, directory)).rejects.toThrow(
      `${secret} has fewer than 32 characters: delete it`,
    )
  })

  it('leaves a database of a newer version alone, as the operator commands do', async () => {
    const database = await databaseFile()
    new SqliteDatabase(database)
      .exec(
        `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
         VALUES ('x', 'x', current_timestamp, '20990101000000_of_the_future', 1)`,
      )
      .close()
    const refusal = `The database ${database} cannot be opened: it is of a newer version of this service (20990101000000_of_the_future)`
    const environment = { ...sandbox, DATABASE_URL: `file:${database}` }
    await expect(startProcess(environment, directory)).rejects.toThrow(refusal)
    const { status, stderr } = await operator(['product', 'list'], { database })
    expect([status, stderr]).toEqual([1, expect.stringContaining(refusal)])
  })

  it('says which file it cannot write, instead of taking that for another server', async () => {
    const lock = join(directory, 'reseller.db.lock')
    await mkdir(lock)
    await expect(startProcess(sandbox, directory)).rejects.toThrow(`The file ${lock} cannot be written`)
  })

  it('says why Telegram cannot be reached, without the token', async () => {
    const DATABASE_URL = `file:${await databaseFile()}`
    const environment = { PORT: '0', DATABASE_URL, BOT_TOKEN: TOKEN, TELEGRAM_API_ROOT: 'http://127.0.0.1:9' }
    const process = await startProcess(environment, directory)
    await vi.waitUntil(
      () => /ECONNREFUSED[^\n]+Telegram cannot be reached yet/.test(process.output()),
      PATIENCE,
    )
    expect(process.output()).not.toContain(TOKEN)
    await process.terminate()
  })
})
