import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Decrypter } from 'age-encryption'
import { expect, it } from 'vitest'
import { command } from '../support/command-line.ts'
import { startS3 } from '../support/s3.ts'
import { otherConnection, temporaryDirectory } from '../support/service.ts'
import { json, KEY, OLIVIA, ordersIn, shopToBackUp, startChat } from './shop-to-back-up.ts'

it('sends encrypted backups to S3 and to a chat, where the same copy can be read with age', async () => {
  const shop = await shopToBackUp()
  const [bucket, chat] = await Promise.all([startS3(), startChat()])
  const env = { ...bucket.env, ...chat.env, BACKUP_KEY: KEY, BACKUP_KEEP: '1' }
  const first = await shop.backUp(env)
  expect(json(first)).toMatchObject({ places: ['folder', 's3', 'chat'] })
  // Larger than what a chat and the bucket take at once.
  otherConnection(shop.path).exec("INSERT INTO settings VALUES ('large', hex(randomblob(21000000)))")
  expect(json(await shop.backUp(env))).toMatchObject({ places: ['folder', 's3', 'chat'] })
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

  // Onto a new machine.
  const database = join(await temporaryDirectory(), 'reseller.db')
  const anew = await command(['backup', 'restore', file, '--json'], { database, env })
  expect(json(anew)).toMatchObject({ replaced: null, lost: null, balanced: true })
  const restored = otherConnection(database)
  expect(restored.prepare('SELECT count(*) FROM static_orders').pluck().get()).toBe(1)
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
  expect(json(await shop.backUp(settings))).toMatchObject({ places: ['folder', 'chat'] })
  expect(telegram.messages(after).flatMap(({ file }) => file ?? [])).toHaveLength(1)
})

it('keeps what it could store when one place fails, tells the operator once, and that it works again', async () => {
  const shop = await shopToBackUp()
  const { env } = await startS3()
  const away = { ...env, BACKUP_KEY: KEY, OPERATOR_CHAT_IDS: '77' }
  const wrong = { ...away, BACKUP_S3_URL: `${env.BACKUP_S3_URL}-that-are-not`, BACKUP_S3_SECRET: 'hush-hush' }
  for (let count = 0; count < 2; count += 1) {
    const failed = await shop.backUp(wrong)
    expect(failed.status).toBe(1)
    expect(json(failed)).toMatchObject({
      error: 'backup_failed',
      data: { places: ['folder'], problem: 's3' },
    })
    expect(failed.stdout).not.toContain('hush-hush')
  }
  expect((await shop.backUp(away)).status).toBe(0)
  const notices = await shop.db.read.notice.findMany({ orderBy: { id: 'asc' } })
  expect(notices.map(({ kind, data }) => [kind, JSON.parse(data) as object])).toEqual([
    ['backup_failed', { problem: 's3', places: ['folder'], detail: expect.any(String) as string }],
    ['backup_works', { places: ['folder', 's3'], bytes: expect.any(Number) as number }],
  ])
  // Those from before the fault are not removed by the fault.
  expect(await readdir(shop.folder)).toHaveLength(3)
})
