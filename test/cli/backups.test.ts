import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Decrypter } from 'age-encryption'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import { lockInstance } from '../../src/core/database/instance-lock.ts'
import { audit } from '../../src/core/ledger/audit.ts'
import { createTelegramEmulator } from '../../src/emulators/telegram/telegram-emulator.ts'
import { BOT_TOKEN } from '../support/bot.ts'
import type { Finished } from '../support/children.ts'
import { atTheEnd } from '../support/clean-up.ts'
import { createPhone } from '../support/phone.ts'
import { operator } from '../support/processes.ts'
import { startS3 } from '../support/s3.ts'
import { openService, otherConnection, type Service, temporaryDirectory } from '../support/service.ts'

const KEY = 'a passphrase of the tests, which is long'.replaceAll(' ', '-')
const OLIVIA = { id: 77, firstName: 'Olivia', languageCode: 'en' }

type Env = Readonly<Record<string, string>>

const json = ({ stdout }: Finished) => JSON.parse(stdout) as Record<string, unknown>

/** A shop on whose database commands work. */
async function shopToBackUp() {
  const service = await openService()
  const buyer = await service.agent({ name: 'buyer', balance: 100 })
  await service.product('static')
  await service.stock('static', 5)
  await service.order(buyer)
  await service.runJobs()
  const backup = (args: readonly string[], env: Env = {}) =>
    operator(['backup', ...args, '--json'], { database: service.database, env })
  const folder = join(dirname(service.path), 'backups')
  return { ...service, buyer, backup, folder }
}

/** A chat of an emulated Telegram that backups go to. */
async function startChat() {
  const telegram = createTelegramEmulator({ token: BOT_TOKEN, botUsername: 'shop_bot' })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(telegram.botApi, { prefix: '/telegram' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  atTheEnd(() => server.close())
  createPhone(telegram, OLIVIA).send('/start')
  const apiRoot = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/telegram`
  const env = { BOT_TOKEN, TELEGRAM_API_ROOT: apiRoot, BACKUP_CHAT_ID: String(OLIVIA.id) }
  const documents = () => telegram.messages(OLIVIA.id).flatMap(({ file }) => file ?? [])
  return { telegram, env, documents }
}

/** Whether it can be opened, and the orders that are in it. */
async function ordersIn(database: Buffer, { path }: Service): Promise<number> {
  const file = join(dirname(path), 'opened.db')
  await writeFile(file, database)
  const copy = new SqliteDatabase(file, { readonly: true })
  const count = copy.prepare('SELECT count(*) FROM static_orders').pluck().get() as number
  copy.close()
  await rm(file)
  return count
}

it('stores a backup in the folder, restores it as a trial, and keeps the newest', async () => {
  const shop = await shopToBackUp()
  const names: unknown[] = []
  for (let count = 0; count < 3; count += 1) {
    const made = await shop.backup(['now'], { BACKUP_KEEP: '2' })
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

it('sends encrypted backups to S3 and to a chat, where the same copy can be read with age', async () => {
  const shop = await shopToBackUp()
  const [bucket, chat] = await Promise.all([startS3(), startChat()])
  const env = { ...bucket.env, ...chat.env, BACKUP_KEY: KEY, BACKUP_KEEP: '1' }
  const first = await shop.backup(['now'], env)
  expect(json(first)).toMatchObject({ places: ['folder', 's3', 'chat'] })
  // Larger than what a chat and the bucket take at once.
  otherConnection(shop.path).exec("INSERT INTO settings VALUES ('large', hex(randomblob(21000000)))")
  expect(json(await shop.backup(['now'], env))).toMatchObject({ places: ['folder', 's3', 'chat'] })
  const [file = ''] = await readdir(shop.folder)
  expect(json(await shop.backup(['list'], env))).toMatchObject({
    items: [
      { name: file, place: 'folder', verified: true },
      { name: file, place: 's3', verified: true },
    ],
  })
  const sent = chat.documents()
  expect(sent.map(({ fileName }) => fileName)).toEqual([
    `${String(json(first)['name'])}.db.gz.age`,
    `${file}.part01`,
    `${file}.part02`,
  ])
  const content = await readFile(join(shop.folder, file))
  expect(content.includes('SQLite')).toBe(false)
  const decrypter = new Decrypter()
  decrypter.addPassphrase(KEY)
  expect(await ordersIn(gunzipSync(await decrypter.decrypt(content)), shop)).toBe(1)

  // With the folder lost, it is fetched from the bucket; with another passphrase it is of no use.
  await rm(shop.folder, { recursive: true })
  expect(json(await shop.backup(['verify', file], env))).toMatchObject({ balanced: true })
  const wrong = await shop.backup(['verify', file], { ...env, BACKUP_KEY: `${KEY}-another` })
  expect(json(wrong)).toMatchObject({
    error: 'unavailable',
    message: expect.stringMatching(/cannot be decrypted: is it another BACKUP_KEY/) as string,
  })
})

it('goes to the supergroup that its group has become, and is read back from a server that runs with --local', async () => {
  const shop = await shopToBackUp()
  const { telegram, env } = await startChat()
  const [group, after] = [-2000, -1_002_000_000_000]
  telegram.addToGroup({ id: group, title: 'Backups' }, OLIVIA.id)
  telegram.upgradeGroup(group, after)
  const files = await temporaryDirectory()
  telegram.serveLocally(files)
  const settings = { ...env, BACKUP_KEY: KEY, BACKUP_CHAT_ID: String(group), TELEGRAM_FILES: files }
  expect(json(await shop.backup(['now'], settings))).toMatchObject({ places: ['folder', 'chat'] })
  expect(telegram.messages(after).flatMap(({ file }) => file ?? [])).toHaveLength(1)
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

it('keeps what it could store when one place fails, tells the operator once, and that it works again', async () => {
  const shop = await shopToBackUp()
  const { env } = await startS3()
  const away = { ...env, BACKUP_KEY: KEY, OPERATOR_CHAT_IDS: '77' }
  const wrong = { ...away, BACKUP_S3_URL: `${env.BACKUP_S3_URL}-that-are-not`, BACKUP_S3_SECRET: 'hush-hush' }
  for (let count = 0; count < 2; count += 1) {
    const failed = await shop.backup(['now'], wrong)
    expect(failed.status).toBe(1)
    expect(json(failed)).toMatchObject({
      error: 'backup_failed',
      data: { places: ['folder'], problem: 's3' },
    })
    expect(failed.stdout).not.toContain('hush-hush')
  }
  expect((await shop.backup(['now'], away)).status).toBe(0)
  const notices = await shop.db.read.notice.findMany({ orderBy: { id: 'asc' } })
  expect(notices.map(({ kind, data }) => [kind, JSON.parse(data) as object])).toEqual([
    ['backup_failed', { problem: 's3', places: ['folder'], detail: expect.any(String) as string }],
    ['backup_works', { places: ['folder', 's3'], bytes: expect.any(Number) as number }],
  ])
  // Those from before the fault are not removed by the fault.
  expect(await readdir(shop.folder)).toHaveLength(3)
})

it('keeps a backup whose books do not balance, and says so', async () => {
  const shop = await shopToBackUp()
  otherConnection(shop.path).exec(
    'DROP TRIGGER accounts_balance_by_ledger; UPDATE accounts SET balance = balance + 1',
  )
  const made = await shop.backup(['now'])
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
  const both = await Promise.all([shop.backup(['now']), shop.backup(['now'])])
  expect(await readdir(shop.folder)).toHaveLength(both.filter(({ status }) => status === 0).length)
  expect(existsSync(work)).toBe(false)
  for (const made of both.filter(({ status }) => status !== 0))
    expect(made.stdout).toContain('A backup is being made')
  expect(both.some(({ status }) => status === 0)).toBe(true)
})

it('refuses what is damaged, what is no backup, and what is not there', async () => {
  const shop = await shopToBackUp()
  await shop.backup(['now'])
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
  await shop.backup(['now'], { BACKUP_KEY: KEY })
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
      env: { BACKUP_KEY: KEY, BACKUP_DIR: shop.folder },
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
  const [, command = ''] = /npm run operator -- (stock disable .*)/.exec(stdout) ?? []
  expect(await operator(command.split(' '), { database })).toMatchObject({ status: 0 })
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
