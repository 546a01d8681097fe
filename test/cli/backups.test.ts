import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/core/database/database.ts'
import { lockInstance } from '../../src/core/database/instance-lock.ts'
import { audit } from '../../src/core/books/audit.ts'
import { command } from '../support/command-line.ts'
import { operator } from '../support/processes.ts'
import { startS3 } from '../support/s3.ts'
import { otherConnection } from '../support/service.ts'
import { type Env, json, KEY, OLIVIA, ordersIn, shopToBackUp, startChat } from './shop-to-back-up.ts'

it('stores a backup in the folder, restores it as a trial, and keeps the newest', async () => {
  const shop = await shopToBackUp()
  const names: unknown[] = []
  for (let count = 0; count < 3; count += 1) {
    const made = await shop.backUp({ BACKUP_KEEP: '2' })
    expect(made).toMatchObject({ status: 0, stderr: '' })
    expect(json(made)).toMatchObject({ places: ['folder'] })
    names.push(`${String(json(made)['name'])}.db.gz`)
  }
  expect((await readdir(shop.folder)).toSorted()).toEqual(names.slice(1))
  const newest = join(shop.folder, String(names[2]))
  expect((await stat(newest)).mode & 0o777).toBe(0o600)
  expect(await ordersIn(gunzipSync(await readFile(newest)), shop)).toBe(1)
  expect(existsSync(join(dirname(shop.path), 'backup-work'))).toBe(false)
  expect(json(await shop.backup(['list']))).toMatchObject({
    items: [
      { name: names[2], place: 'folder', verified: true },
      { name: names[1], place: 'folder', verified: true },
    ],
  })
  expect(json(await shop.backup(['verify', String(names[1])]))).toEqual({
    backup: names[1],
    integrity: 'ok',
    balanced: true,
  })
})

it('sends encrypted backups to S3 and to the supergroup that its group has become', async () => {
  const shop = await shopToBackUp()
  const [bucket, chat] = await Promise.all([startS3(), startChat()])
  const [group, after] = [-2000, -1_002_000_000_000]
  chat.telegram.addToGroup({ id: group, title: 'Backups' }, OLIVIA.id)
  chat.telegram.upgradeGroup(group, after)
  const env = { ...bucket.env, ...chat.env, BACKUP_CHAT_ID: String(group), BACKUP_KEY: KEY }
  expect(json(await shop.backUp(env))).toMatchObject({ places: ['folder', 's3', 'chat'] })
  const [file = ''] = await readdir(shop.folder)
  expect(json(await shop.backup(['list'], env))).toMatchObject({
    items: [
      { name: file, place: 'folder', verified: true },
      { name: file, place: 's3', verified: true },
    ],
  })
  const sent = chat.telegram.messages(after).flatMap(({ file: document }) => document ?? [])
  expect(sent.map(({ fileName }) => fileName)).toEqual([file])
  const content = await readFile(join(shop.folder, file), 'latin1')
  expect(content).toMatch(/^age-encryption\.org\/v1\n/)
  expect(content).not.toContain('SQLite')
  // With the folder lost, it is fetched from the bucket.
  await rm(shop.folder, { recursive: true })
  expect(json(await shop.backup(['verify', file], env))).toMatchObject({ balanced: true })
})

it('leaves the machine only with a passphrase, and says what belongs together', async () => {
  const shop = await shopToBackUp()
  const bucket = await startS3()
  const refused = async (env: Env) => String(json(await shop.backup(['now'], env))['message'])
  expect(await refused(bucket.env)).toContain('BACKUP_KEY is missing: with BACKUP_S3_URL backups leave')
  expect(await refused({ BACKUP_CHAT_ID: '5' })).toContain('BACKUP_CHAT_ID needs BOT_TOKEN')
  expect(await refused({ BACKUP_KEY: KEY, BACKUP_S3_URL: 'https://s3.example.com/b' })).toContain(
    'BACKUP_S3_URL, BACKUP_S3_KEY_ID and BACKUP_S3_SECRET belong together',
  )
  expect(await refused({ BACKUP_S3_URL: 'http://s3.example.com/b' })).toContain('must be https')
  expect(await refused({ BACKUP_KEY: 'short' })).toContain('BACKUP_KEY must have at least 32 characters')
  expect(await refused({ BACKUP_EVERY: 'daily' })).toContain('BACKUP_EVERY must be a number with m, h or d')
})

it('keeps a backup whose books do not balance, and says so', async () => {
  const shop = await shopToBackUp()
  otherConnection(shop.path).exec(
    'DROP TRIGGER accounts_balance_by_ledger; UPDATE accounts SET balance = balance + 1',
  )
  const made = await shop.backUp()
  expect(json(made)).toMatchObject({
    error: 'backup_failed',
    data: { places: ['folder'], problem: 'unbalanced' },
  })
  const [file = ''] = await readdir(shop.folder)
  expect(json(await shop.backup(['list']))).toMatchObject({ items: [{ name: file, verified: false }] })
  expect(json(await shop.backup(['verify', file]))).toMatchObject({ error: 'unbalanced' })
})

it('clears away what a killed one left, and makes one at a time', async () => {
  const shop = await shopToBackUp()
  const work = join(dirname(shop.path), 'backup-work')
  const left = join(shop.folder, 'reseller-2026-01-01T00-00-00-000Z.db.gz.partial')
  await mkdir(work)
  await mkdir(shop.folder)
  await Promise.all([writeFile(join(work, 'copy.db'), 'half'), writeFile(left, 'half')])
  const both = await Promise.all([shop.backUp(), shop.backUp()])
  expect(await readdir(shop.folder)).toHaveLength(both.filter(({ status }) => status === 0).length)
  expect(existsSync(work)).toBe(false)
  for (const made of both.filter(({ status }) => status !== 0))
    expect(made.stdout).toContain('A backup is being made')
  expect(both.some(({ status }) => status === 0)).toBe(true)
})

it('refuses what is damaged, what is no backup, and what is not there', async () => {
  const shop = await shopToBackUp()
  await shop.backUp()
  const [file = ''] = await readdir(shop.folder)
  const good = gunzipSync(await readFile(join(shop.folder, file)))
  const [damaged, noise] = [join(shop.folder, 'damaged.db'), join(shop.folder, 'noise')]
  // A page in the middle.
  await writeFile(damaged, good.fill(0xff, 40 * 4096, 60 * 4096))
  await writeFile(noise, 'x'.repeat(5000))
  expect(json(await shop.backup(['verify', damaged]))['error']).toMatch(/^damaged|backup_unusable$/)
  expect(json(await shop.backup(['verify', noise]))['message']).toContain('is no backup')
  expect(json(await shop.backup(['restore', damaged]))['error']).toMatch(/^damaged|backup_unusable$/)
  expect(json(await shop.backup(['verify', 'reseller-x']))['message']).toContain(
    'There is no file and no backup',
  )
  await shop.audited()
})

it('restores a backup, keeps what was there, and names what was sold since', async () => {
  const shop = await shopToBackUp()
  await shop.backUp()
  const [file = ''] = await readdir(shop.folder)
  const { orderNo } = await shop.order(shop.buyer, { ipCount: 2 })
  await shop.runJobs()
  const sold = await shop.db.read.instance.findMany({ orderBy: { id: 'asc' } })
  const since = sold.slice(1).map(({ ip }) => ip)
  // As after a kill: the log is still beside the database.
  const [database, log] = [join(dirname(shop.path), 'live', 'reseller.db'), '-wal']
  await mkdir(dirname(database))
  await copyFile(shop.path, database)
  await copyFile(shop.path + log, database + log)
  const run = (...args: string[]) =>
    operator(['backup', ...args], {
      database,
      env: { BACKUP_DIR: shop.folder },
    })

  const unlock = lockInstance(`file:${database}`)
  const refused = await run('restore', file)
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('A server is running') as string,
  })
  unlock()

  const { status, stdout } = await run('restore', file)
  expect(status).toBe(0)
  expect(stdout).toContain('its books balance')
  expect(stdout).toContain('It has 1 order that the backup lacks, and 0 accounts:')
  expect(stdout).toMatch(new RegExp(`${orderNo} .*buyer  2\\.00`))
  expect(stdout).toContain(`npm run operator -- stock disable ${since.toSorted().join(' ')}`)
  const [, kept = ''] = /kept as (\S+)/.exec(stdout) ?? []
  const count = (path: string) =>
    otherConnection(path).prepare('SELECT count(*) FROM static_orders').pluck().get()
  expect([count(kept), count(database)]).toEqual([2, 1])

  // The printed command works, before the server is started.
  const [, printed = ''] = /npm run operator -- (stock disable .*)/.exec(stdout) ?? []
  expect(await command(printed.split(' '), { database })).toMatchObject({ status: 0 })
  const restored = await openDatabase(`file:${database}`)
  expect(await audit({ db: restored })).toEqual([])
  await restored.close()

  // Onto a new machine.
  await rm(dirname(database), { recursive: true })
  await mkdir(dirname(database))
  const anew = await run('restore', file, '--json')
  expect(json(anew)).toMatchObject({ replaced: null, lost: null, balanced: true })
  expect(count(database)).toBe(1)
})
