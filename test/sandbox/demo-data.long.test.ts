import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { endChild, startChild } from '../support/children.ts'
import { PATIENCE } from '../support/patience.ts'
import { operator } from '../support/processes.ts'
import { root } from '../support/tethered.ts'
import { sandbox, shown, UNDISTURBED } from './demo-sandbox.ts'

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

test('A kill while the history is made costs nothing: the next start goes on where it was', async () => {
  const { database, environment, start } = await sandbox()
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
