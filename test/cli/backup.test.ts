import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import type { Finished } from '../support/children.ts'
import { command } from '../support/command-line.ts'
import { operator } from '../support/processes.ts'
import { openService, otherConnection, temporaryDirectory } from '../support/service.ts'

const backup = (database: string, file: string) => operator(['backup', file, '--json'], { database })
/** In this process: only of what it has not open. */
const backUpHere = (database: string, file: string) => command(['backup', file, '--json'], { database })
const json = ({ stdout }: Finished) => JSON.parse(stdout) as Record<string, unknown>

it('copies a database under load into one sound file whose books balance, and loses nothing that was acknowledged before', async () => {
  const service = await openService()
  const buyer = await service.agent({ balance: 100_000 })
  await service.product('static', { price: 0.000001 })
  await service.stock('static', 3000)
  for (let count = 0; count < 20; count += 1) await service.order(buyer)
  const directory = await temporaryDirectory()
  const file = join(directory, 'copy.db')

  const load = { on: true }
  const copying = backup(service.path, file).finally(() => (load.on = false))
  while (load.on) {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        service.core.operator.adjustBalance(SHELL, { username: buyer.username, amount: 1, remark: 'load' }),
      ),
    )
    await service.order(buyer).catch(() => {})
    await service.runJobs()
  }
  const done = await copying
  expect(done).toMatchObject({ status: 0, stderr: '' })
  const { size, mode } = await stat(file)
  expect(json(done)).toEqual({ file, bytes: size, integrity: 'ok', balanced: true })
  expect(mode & 0o777).toBe(0o600)
  expect(await readdir(directory)).toEqual(['copy.db'])
  await service.audited()

  const copy = new SqliteDatabase(file, { readonly: true })
  expect(copy.pragma('journal_mode', { simple: true })).toBe('delete')
  expect(copy.prepare('SELECT count(*) FROM static_orders').pluck().get()).toBeGreaterThanOrEqual(20)
  copy.close()

  // The copy is a database to go on with.
  const restored = await openDatabase(`file:${file}`)
  await restored.write((tx) => tx.setting.create({ data: { key: 'restored', value: '' } }))
  await restored.close()
})

it('never overwrites a file, keeps a copy whose books do not balance, and keeps nothing of a damaged database', async () => {
  const service = await openService()
  await service.agent({ balance: 10 })
  const directory = await temporaryDirectory()
  const [taken, unbalanced, damaged, copyOfEmpty] = [
    'taken.db',
    'unbalanced.db',
    'damaged.db',
    'copy-of-empty.db',
  ].map((name) => join(directory, name)) as [string, string, string, string]
  await writeFile(taken, 'precious')
  otherConnection(service.path).exec(
    'DROP TRIGGER accounts_balance_by_ledger; UPDATE accounts SET balance = balance + 1',
  )
  const noDatabase = join(directory, 'noise.db')
  await writeFile(noDatabase, 'x'.repeat(10_000))
  const empty = join(directory, 'empty.db')
  await writeFile(empty, '')

  const [refused, kept, noise, bookless] = await Promise.all([
    backup(service.path, taken),
    backup(service.path, unbalanced),
    backUpHere(noDatabase, damaged),
    backUpHere(empty, copyOfEmpty),
  ])
  expect(refused.status).toBe(1)
  expect(json(refused)).toEqual({
    error: 'file_exists',
    message: `${taken} exists already and is not overwritten`,
    data: null,
  })
  expect(kept.status).toBe(1)
  expect(json(kept)).toMatchObject({
    error: 'unbalanced',
    data: { differences: [{ detail: '10.000001 instead of 10.00' }] },
  })
  expect(json(noise)).toMatchObject({ error: 'backup_failed' })
  expect(json(bookless)).toMatchObject({
    error: 'books_unreadable',
    message: `The copy ${copyOfEmpty} was made, but has no books of this version: no such table: accounts`,
  })
  expect((await readdir(directory)).toSorted()).toEqual([
    'copy-of-empty.db',
    'empty.db',
    'noise.db',
    'operator.log',
    'taken.db',
    'unbalanced.db',
  ])
})
