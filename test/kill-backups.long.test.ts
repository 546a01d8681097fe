import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { command } from './support/command-line.ts'
import { descendantsOf } from './support/gateway-process.ts'
import { PATIENCE } from './support/patience.ts'
import { dataDirectoryOf } from './support/postgres.ts'
import { operator } from './support/processes.ts'
import { AGENT } from './support/product.ts'
import { startFailingS3, startS3, startS3ThatHoldsParts } from './support/s3.ts'
import { openShopToKill } from './support/shop-to-kill.ts'
import { tryLock } from '../src/core/database/instance-lock.ts'
import { SHELL } from '../src/core/people/operator.ts'
import { DRIVERS } from '../src/suppliers/drivers.ts'

const SETTINGS = { OPERATOR_CHAT_IDS: '77', BACKUP_KEY: 'a-passphrase-of-the-tests-that-is-long' }
const FILE = /^reseller-[\dTZ-]+\.db\.gz\.age$/

it.skipIf(process.platform !== 'linux')(
  'a kill in the middle of an upload in parts leaves nothing that is listed, and the next backup works',
  async () => {
    const shop = await openShopToKill([AGENT], SETTINGS, (core) => core.operator.backups.request(SHELL))
    const { rows, change } = shop.beside
    // Larger than one part.
    await change("INSERT INTO settings VALUES ('large', ?)", randomBytes(21_000_000).toString('hex'))
    const { env } = await startS3()
    const storage = await startS3ThatHoldsParts(env)
    const product = await shop.start(storage.env)
    await vi.waitUntil(() => storage.held() === 1, PATIENCE)
    const [maker = 0] = descendantsOf(product.pid)
    // Stopped, it cannot end by itself, and tidy up, before it is killed.
    process.kill(maker, 'SIGSTOP')
    process.kill(product.pid, 'SIGKILL')
    process.kill(maker, 'SIGKILL')

    const stored = async () => {
      const options = { database: shop.database, env: { ...SETTINGS, ...env } }
      const { items } = JSON.parse((await operator(['backup', 'list', '--json'], options)).stdout) as {
        items: { name: string; place: string; verified: boolean | null }[]
      }
      return items.filter(({ place }) => place === 's3')
    }
    expect(await stored()).toEqual([])

    await shop.start(env)
    const attempts = () => rows('SELECT problem, places FROM backups')
    await vi.waitUntil(async () => (await attempts()).length === 1, PATIENCE)
    expect(await attempts()).toEqual([{ problem: null, places: '["folder","s3"]' }])
    expect(await stored()).toMatchObject([{ name: expect.stringMatching(FILE) as string, verified: true }])
  },
)

it.skipIf(process.platform !== 'linux')(
  'a kill of the process that makes a backup is told, one of the server is not; each time another one is made',
  async () => {
    const shop = await openShopToKill([AGENT], SETTINGS, (core) => core.operator.backups.request(SHELL))
    const work = join(dataDirectoryOf(shop.database), 'backup-work')
    const folder = join(dataDirectoryOf(shop.database), 'backups')
    const { rows, change } = shop.beside
    const attempts = () => rows('SELECT problem, detail, places FROM backups ORDER BY id')
    const told = () => rows("SELECT kind FROM notices WHERE kind LIKE 'backup%' ORDER BY id")

    // It comes to the storage when the copy stands in the folder.
    const storage = await startFailingS3('silent')
    const product = await shop.start(storage.env)
    await vi.waitUntil(() => storage.asked() === 1, PATIENCE)
    const [maker = 0] = descendantsOf(product.pid)
    process.kill(maker, 'SIGKILL')
    await vi.waitUntil(async () => (await attempts()).length === 1, PATIENCE)
    const killed = { problem: 'failed', detail: 'its process ended with SIGKILL', places: '[]' }
    expect(await attempts()).toEqual([killed])
    expect(await told()).toEqual([{ kind: 'backup_failed' }])
    expect(existsSync(work)).toBe(true)

    await change(
      `INSERT INTO jobs (kind, key, run_at, created_at) VALUES ('back_up', 'now', '2026-01-01', '2026-01-01')`,
    )
    await vi.waitUntil(() => storage.asked() === 2, PATIENCE)
    process.kill(product.pid, 'SIGKILL')
    // The maker ends by itself then, and with it its lock.
    await vi.waitUntil(() => {
      const unlock = tryLock(work, 0)
      unlock?.()
      return unlock !== undefined
    }, PATIENCE)
    expect(existsSync(work)).toBe(true)

    const { env } = await startS3()
    await shop.start(env)
    await vi.waitUntil(async () => (await attempts()).length === 2, PATIENCE)
    expect(await attempts()).toEqual([killed, { problem: null, detail: null, places: '["folder","s3"]' }])
    expect(await told()).toEqual([{ kind: 'backup_failed' }, { kind: 'backup_works' }])
    expect(existsSync(work)).toBe(false)
    const files = (await readdir(folder)).toSorted().toReversed()
    expect(files).toHaveLength(3)
    for (const file of files) expect(file).toMatch(FILE)
    const run = async (...args: string[]) =>
      JSON.parse(
        (
          await command(['backup', ...args, '--json'], {
            database: shop.database,
            drivers: DRIVERS,
            env: SETTINGS,
          })
        ).stdout,
      )
    expect(((await run('list')) as { items: object[] }).items).toMatchObject([
      { name: files[0], verified: true },
      { name: files[1], verified: null },
      { name: files[2], verified: null },
    ])
    expect(await run('verify', files[2] ?? '')).toMatchObject({ balanced: true })
  },
)
