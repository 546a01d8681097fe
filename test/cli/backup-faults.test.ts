import { existsSync } from 'node:fs'
import { mkdir, readdir, statfs, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { BackupSettings, S3Settings } from '../../src/backup/settings.ts'
import type { MadeBackup } from '../../src/core/backups/backup-maker.ts'
import { tryLock } from '../../src/core/database/instance-lock.ts'
import { finished, startChild } from '../support/children.ts'
import { canHaveFaultyDisk, faultyDisk } from '../support/faulty-disk.ts'
import { operator } from '../support/processes.ts'
import { startProduct } from '../support/product.ts'
import { startFailingS3 } from '../support/s3.ts'
import { openService } from '../support/service.ts'
import { root } from '../support/tethered.ts'
import { json } from './shop-to-back-up.ts'

const SECRET = 'hush-hush-hush'
const OLD = 'reseller-2026-01-01T00-00-00-000Z.db.gz'

type Shop = Awaited<ReturnType<typeof shopToBackUp>>

/** A shop with a backup from before, on whose database commands work. */
async function shopToBackUp() {
  const { path, db } = await openService()
  const folder = join(dirname(path), 'backups')
  await mkdir(folder)
  await writeFile(join(folder, OLD), 'old')
  const backUp = async (change: Readonly<Record<string, string>> = {}) => {
    const env = { OPERATOR_CHAT_IDS: '77', BACKUP_KEEP: '1', ...change }
    return json(await operator(['backup', 'now', '--json'], { database: path, env }))
  }
  const told = async () => {
    const notices = await db.read.notice.findMany({ orderBy: { id: 'asc' } })
    return notices.map(({ kind, data }) => ({ kind, ...(JSON.parse(data) as { detail: string }) }))
  }
  return { path, db, folder, backUp, told }
}

/** Starts the process that makes backups, and prints its answer. */
const ASK_WORKER = `
  const { NODE_OPTIONS, ...env } = process.env
  const worker = require('node:child_process').fork('${root}dist/backup/worker.js', { env })
  worker.on('message', (made) => process.stdout.write(JSON.stringify(made)))
  worker.send(JSON.parse(process.argv[1]))`

/** What that process answers, here for unencrypted backups, which take less time. */
async function workerMakes(settings: BackupSettings, env?: Readonly<Record<string, string>>) {
  const order = JSON.stringify({ settings, name: 'reseller-2026-03-01T00-00-00-000Z' })
  const { stdout } = await finished(startChild(process.execPath, ['-e', ASK_WORKER, order], { env }))
  return JSON.parse(stdout) as MadeBackup
}

const settingsOf = ({ path, folder }: Shop, s3?: S3Settings): BackupSettings => ({
  database: path,
  directory: folder,
  keep: 1,
  key: undefined,
  chat: undefined,
  s3,
})

const storageAt = (url: string, timeoutMs: number): S3Settings => ({
  url,
  region: 'us-east-1',
  keyId: 'key',
  secret: SECRET,
  timeoutMs,
})

it.each([
  ['SignatureDoesNotMatch', 'S3 returned 403 – SignatureDoesNotMatch'],
  ['NoSuchBucket', 'S3 returned 404 – NoSuchBucket'],
  ['hangs up', 'fetch failed: other side closed'],
  ['silent', expect.stringContaining('timeout') as string],
] as const)('names the reason when S3 fails with: %s', async (fault, detail) => {
  const shop = await shopToBackUp()
  const { env } = await startFailingS3(fault)
  const storage = storageAt(env.BACKUP_S3_URL, fault === 'silent' ? 1000 : 60_000)
  expect(await workerMakes(settingsOf(shop, storage))).toMatchObject({
    places: ['folder'],
    problem: { code: 's3', detail },
  })
})

it('begins none that would fill the disk, tells it once, and keeps the old ones', async () => {
  const shop = await shopToBackUp()
  const { bavail, bsize } = await statfs(shop.folder)
  // A file with a hole, which takes no room; SQLite does not read what is behind its pages.
  await truncate(shop.path, Math.floor((bavail * bsize) / 4096 / 2) * 4096)
  for (let count = 0; count < 2; count += 1) {
    const failed = await shop.backUp()
    expect(failed).toMatchObject({
      error: 'backup_failed',
      data: { bytes: 0, places: [], problem: 'no_room' },
    })
  }
  expect(await shop.told()).toMatchObject([
    {
      kind: 'backup_failed',
      problem: 'no_room',
      detail: expect.stringMatching(/^\d+ bytes are free, and/) as string,
    },
  ])
  expect(await readdir(shop.folder)).toEqual([OLD])
})

it.skipIf(!canHaveFaultyDisk)(
  'says that the disk became full meanwhile, and leaves nothing half',
  async () => {
    const shop = await shopToBackUp()
    const disk = faultyDisk(dirname(shop.path))
    disk.become('full')
    expect(await workerMakes(settingsOf(shop), disk.environment)).toMatchObject({
      bytes: 0,
      places: [],
      problem: { code: 'no_room', detail: expect.stringContaining('full') as string },
    })
    expect(await readdir(shop.folder)).toEqual([OLD])
    expect(existsSync(join(dirname(shop.path), 'backup-work'))).toBe(false)
  },
)

it('clears away at the start of the server what a killed process has left', async () => {
  const product = await startProduct()
  const work = join(dirname(product.config.backups.settings.database), 'backup-work')
  await product.stop()
  await mkdir(work)
  await writeFile(join(work, 'restored.db'), 'half')
  await product.start()
  expect(existsSync(work)).toBe(false)
})

it('waits for another one, which is no failure', async () => {
  const shop = await shopToBackUp()
  const unlock = tryLock(join(dirname(shop.path), 'backup-work'), 0)
  expect(await shop.backUp()).toMatchObject({
    error: 'unavailable',
    message: 'A backup is being made or verified: wait until that is done',
  })
  unlock?.()
  expect(await shop.db.read.backup.count()).toBe(0)
  expect(await shop.told()).toEqual([])
})
