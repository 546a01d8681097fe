import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFailingS3 } from '../support/s3.ts'
import { json, KEY, shopToBackUp } from './shop-to-back-up.ts'

const SETTINGS = { BACKUP_KEY: KEY, BACKUP_KEEP: '1', OPERATOR_CHAT_IDS: '77' }

/** What the operator was told, oldest first. */
async function toldIn({ db }: Awaited<ReturnType<typeof shopToBackUp>>) {
  const notices = await db.read.notice.findMany({ orderBy: { id: 'asc' } })
  return notices.map(({ kind, data }) => ({ kind, ...(JSON.parse(data) as { detail: string }) }))
}

it('names why S3 takes no backup, without a secret, and the copy in the folder is good', async () => {
  const shop = await shopToBackUp()
  const old = 'reseller-2026-01-01T00-00-00-000Z.db.gz'
  await mkdir(shop.folder)
  await writeFile(join(shop.folder, old), 'old')
  const { env } = await startFailingS3('SignatureDoesNotMatch')
  const failed = json(await shop.backUp({ ...env, BACKUP_S3_SECRET: 'hush-hush-hush', ...SETTINGS }))
  expect(failed).toMatchObject({ error: 'backup_failed', data: { places: ['folder'], problem: 's3' } })
  const detail = 'S3 returned 403 – SignatureDoesNotMatch'
  expect(failed['message']).toBe(`The backup failed (s3): ${detail}`)
  expect(await toldIn(shop)).toEqual([{ kind: 'backup_failed', problem: 's3', places: ['folder'], detail }])
  const [first, copy = ''] = (await readdir(shop.folder)).toSorted()
  expect(first).toBe(old)
  expect(json(await shop.backup(['verify', copy], { BACKUP_KEY: KEY }))).toMatchObject({ balanced: true })
})

it('gives up an S3 that never answers, and tells it', async () => {
  const shop = await shopToBackUp()
  const { env } = await startFailingS3('silent')
  const failed = json(await shop.backUp({ ...env, BACKUP_S3_TIMEOUT: '1', ...SETTINGS }))
  expect(failed).toMatchObject({ error: 'backup_failed', data: { places: ['folder'], problem: 's3' } })
  expect(await toldIn(shop)).toMatchObject([
    {
      kind: 'backup_failed',
      problem: 's3',
      places: ['folder'],
      detail: expect.stringContaining('timeout') as string,
    },
  ])
})
