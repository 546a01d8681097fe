import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBackup } from '../../src/backup/make-backup.ts'
import { restoreBackup } from '../../src/backup/restore.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import { audit } from '../../src/core/books/audit.ts'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { operator } from '../support/processes.ts'
import { AGENT } from '../support/product.ts'
import { temporaryDirectory } from '../support/service.ts'
import { program } from './own-postgres.ts'
import { coreOn, openSeveralShop, withoutPostgres } from './several-shop.ts'

describe.skipIf(withoutPostgres)('a shop that moves', () => {
  it('goes from PostgreSQL to SQLite and back, row for row', { timeout: 120_000 }, async () => {
    const shop = await openSeveralShop(40)
    await buySome(shop.core)
    await shop.close()
    const directory = await temporaryDirectory()
    const [one, two] = [join(directory, 'one.db'), join(directory, 'two.db')]
    const again = await emptyPostgres()

    const copies = [
      await operator(['copy', '--from', shop.url, '--to', `file:${one}`]),
      await operator(['copy', '--from', `file:${one}`, '--to', again]),
      await operator(['copy', '--from', again, '--to', `file:${two}`]),
    ]
    expect(copies.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      copies.map(() => ({ status: 0, stderr: '' })),
    )

    expect(rowsOf(two)).toEqual(rowsOf(one))
    expect(rowsOf(one)['accounts']).toHaveLength(1)
    await expectToGoOn(again)

    const full = await operator(['copy', '--from', `file:${one}`, '--to', again])
    expect(full).toMatchObject({ status: 1, stderr: expect.stringContaining('is not empty') as string })
  })

  it('is as it was when PostgreSQL has dumped and restored it', { timeout: 120_000 }, async () => {
    const shop = await openSeveralShop(40)
    await buySome(shop.core)
    const dump = join(await temporaryDirectory(), 'shop.dump')
    execFileSync(program('pg_dump'), ['--format=custom', '--file', dump, shop.url])
    await shop.close()
    const again = await emptyPostgres()
    execFileSync(program('pg_restore'), ['--exit-on-error', '--no-owner', '--dbname', again, dump])
    await expectToGoOn(again)
  })

  it('is backed up, listed and tried by commands', { timeout: 120_000 }, async () => {
    const { url: database, environment: env } = await openSeveralShop(1)
    const backup = async (...args: string[]) => {
      const { stdout } = await operator(['backup', ...args, '--json'], { database, env })
      return JSON.parse(stdout) as { readonly name?: string; readonly items?: readonly { name: string }[] }
    }
    const { name } = await backup('now')
    const { items = [] } = await backup('list')
    expect(items).toMatchObject([{ name: `${name}.db.gz`, verified: true }])
    expect(await backup('verify', items[0]?.name ?? '')).toMatchObject({ balanced: true })
  })

  it('is backed up while it is in use, and restored', { timeout: 120_000 }, async () => {
    const shop = await openSeveralShop(40)
    await buySome(shop.core)
    const directory = await temporaryDirectory()
    const settings = {
      database: join(directory, 'reseller.db'),
      postgres: shop.url,
      directory: join(directory, 'backups'),
      keep: 2,
      key: 'a passphrase of the tests',
      s3: undefined,
      chat: undefined,
    }
    expect(await makeBackup(settings, 'backup-1')).toMatchObject({ places: ['folder'], problem: undefined })
    await expect(restoreBackup(settings, 'backup-1.gz.age', new Date())).rejects.toThrow('operator copy')

    const here = { ...settings, postgres: undefined }
    const [name = ''] = readdirSync(settings.directory)
    await restoreBackup(here, join(settings.directory, name), new Date())
    const db = await openDatabase(`file:${here.database}`)
    expect(await audit({ db })).toEqual([])
    expect(await db.read.staticOrder.count()).toBe(5)
    await db.close()
  })
})

/** Numbers go on where they were, and the triggers are there again. */
async function expectToGoOn(url: string): Promise<void> {
  const { db, core } = await coreOn(url)
  await buySome(core, 'later')
  expect(await db.read.staticOrder.count()).toBe(10)
  expect(await core.operator.audit()).toEqual([])
  await expect(db.write((tx) => tx.ledgerEntry.deleteMany())).rejects.toThrow()
}

async function buySome(core: Awaited<ReturnType<typeof coreOn>>['core'], name = 'first'): Promise<void> {
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  const buyer = await core.accounts.authenticate(token)
  for (let index = 0; index < 5; index += 1)
    await core.orders.createStatic(buyer, {
      poolId: 'ISP',
      userId: buyer.id,
      ipCount: 2,
      duration: 1,
      unit: 3,
      appOrderNo: `${name}-${index}`,
    })
}

function rowsOf(file: string): Record<string, unknown[]> {
  const connection = new SqliteDatabase(file, { readonly: true })
  const names = connection
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_prisma_migrations'")
    .pluck()
    .all() as string[]
  const rows = names.map((name) => [
    name,
    connection
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map((row) => JSON.stringify(row))
      .toSorted(),
  ])
  connection.close()
  return Object.fromEntries(rows) as Record<string, unknown[]>
}
