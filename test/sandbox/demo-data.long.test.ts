import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { endChild, startChild } from '../support/children.ts'
import { PATIENCE } from '../support/patience.ts'
import { operator } from '../support/processes.ts'
import { temporaryDirectory } from '../support/service.ts'
import { root } from '../support/tethered.ts'
import { expectHistory, sandbox, shown, UNDISTURBED } from './demo-sandbox.ts'

/** How many ledger entries there are; none while there is no database yet. */
function entriesIn(database: string): number {
  if (!existsSync(database)) return 0
  const connection = new SqliteDatabase(database, { readonly: true })
  try {
    return connection.prepare('SELECT count(*) FROM ledger_entries').pluck().get() as number
  } catch {
    return 0
  } finally {
    connection.close()
  }
}

test('The sandbox begins with 30 days that were lived through: charts have figures, books and balances are right', async () => {
  const { database, start } = await sandbox(await temporaryDirectory())
  const first = await start()
  const before = await shown(first.address)
  expectHistory(before)
  await first.terminate()
  expect(await operator(['audit'], { database })).toMatchObject({ status: 0 })

  const second = await start()
  expect(await shown(second.address)).toEqual(before)
  await second.terminate()
})

test('A kill while the history is made costs nothing: the next start goes on where it was', async () => {
  const { database, environment, start } = await sandbox(await temporaryDirectory())
  for (const entries of [12, 34]) {
    const child = startChild(process.execPath, [join(root, 'dist', 'main.js')], {
      env: environment,
      cwd: dirname(database),
    })
    await vi.waitUntil(() => entriesIn(database) >= entries, { ...PATIENCE, interval: 1 })
    await endChild(child, 'SIGKILL')
  }
  const last = await start()
  const { balances, spent, entries } = await shown(last.address)
  expect({ balances, spent, entries }).toEqual(UNDISTURBED)
  await last.terminate()
  expect(await operator(['audit'], { database })).toMatchObject({ status: 0 })
})
