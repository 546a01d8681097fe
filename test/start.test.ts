import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { productVersion } from '../src/product-version.ts'
import { DRIVERS } from '../src/suppliers/drivers.ts'
import { command } from './support/command-line.ts'
import { PATIENCE } from './support/patience.ts'
import { startProcess } from './support/process.ts'
import { SECRET, startProduct } from './support/product.ts'
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

  it('names every problem of the configuration at once', () => {
    const load = () =>
      loadConfig({
        ...sandbox,
        PORT: '99999',
        JWT_SECRET: 'short',
        API_VARIANT: 'C',
        LOG_LEVEL: 'loud',
        BOT_TOKEN: 'x',
        RATE_LIMIT_READS: 'many',
        TRUSTED_PROXIES: '10.0.0.1, proxy',
        METRICS_TOKEN: 'short',
      })
    expect(load).toThrow(
      /PORT[^]*JWT_SECRET[^]*API_VARIANT[^]*BOT_TOKEN[^]*RATE_LIMIT_READS[^]*TRUSTED_PROXIES[^]*METRICS_TOKEN[^]*LOG_LEVEL/,
    )
  })

  it('does not serve customers from a database of the sandbox', async () => {
    const environment = { ...sandboxIn(await sandboxFolder()), BOT_TOKEN: TOKEN, JWT_SECRET: SECRET }
    await expect(start(environment)).rejects.toThrow('This database was made by the sandbox')
  })

  it('finds the same accounts and balances the second time, makes a secret again where a kill left none in its file, and shows nothing that it writes to other users', async () => {
    const directory = await sandboxFolder()
    const environment = sandboxIn(directory)
    const secret = join(directory, 'jwt-secret')
    await rm(secret)
    await writeFile(secret, '', { mode: 0o644 })
    const process = await startProcess(environment, directory)
    const login = await fetch(`${process.address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'agent', password: 'agent-demo' }),
    })
    expect(await login.json()).toMatchObject({ data: { user: { balance: 1000 } } })
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
    await expect(start({ ...sandbox, DATABASE_URL: `file:${database}` })).rejects.toThrow(refusal)
    const { status, stderr } = await command(['product', 'list'], { database, drivers: DRIVERS })
    expect([status, stderr]).toEqual([1, expect.stringContaining(refusal)])
  })

  it('says which file it cannot write, instead of taking that for another server', async () => {
    const lock = join(directory, 'reseller.db.lock')
    await mkdir(lock)
    await expect(start(sandbox)).rejects.toThrow(`The file ${lock} cannot be written`)
  })

  it('says why Telegram cannot be reached, without the token', async () => {
    const telegram = { mode: 'telegram', token: TOKEN, apiRoot: 'http://127.0.0.1:9' } as const
    const product = await startProduct({}, { telegram })
    await vi.waitUntil(
      () => product.log.some((line) => /ECONNREFUSED[^\n]+Telegram cannot be reached yet/.test(line)),
      PATIENCE,
    )
    expect(product.log.join('')).not.toContain(TOKEN)
  })
})

/** Starts the service in this process. */
async function start(environment: Record<string, string>): Promise<void> {
  await startApp(loadConfig(environment), pino({ level: 'silent' }))
}
