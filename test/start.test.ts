import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { startProcess } from './support/process.ts'
import { SECRET } from './support/product.ts'

const TOKEN = '42:token-of-the-tests-0123456789abcdefgh'

describe('starting the service', () => {
  let directory: string
  let sandbox: Record<string, string>

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'reseller-start-'))
    sandbox = { PORT: '0', DATABASE_URL: `file:${directory}/reseller.db` }
    return () => rm(directory, { recursive: true })
  })

  it('starts as a sandbox with nothing set, keeps a secret of its own, and stops cleanly', async () => {
    const process = await startProcess(sandbox, directory)
    expect(process.output()).toMatch(/sandbox +http:\/\/127\.0\.0\.1:\d+\/sandbox\//)
    expect((await fetch(`${process.address}/readyz`)).status).toBe(200)
    expect(await process.terminate()).toBe(0)
    const secret = join(directory, 'jwt-secret')
    expect((await stat(secret)).mode & 0o777).toBe(0o600)
    expect((await readFile(secret, 'utf8')).length).toBeGreaterThanOrEqual(32)
    expect(process.output()).not.toContain(await readFile(secret, 'utf8'))
  })

  it('finds the same accounts and balances the second time', async () => {
    await (await startProcess(sandbox, directory)).terminate()
    const process = await startProcess(sandbox, directory)
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
    await (await startProcess(sandbox, directory)).terminate()
    const start = startProcess({ ...sandbox, BOT_TOKEN: TOKEN, JWT_SECRET: SECRET }, directory)
    await expect(start).rejects.toThrow('This database was made by the sandbox')
  })

  it('refuses a second server on the same database', async () => {
    const first = await startProcess(sandbox, directory)
    await expect(startProcess(sandbox, directory)).rejects.toThrow(
      'Another server is running on this database',
    )
    await first.terminate()
  })
})
