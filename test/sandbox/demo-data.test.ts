import { expect, test } from 'vitest'
import { DRIVERS } from '../../src/suppliers/drivers.ts'
import { command } from '../support/command-line.ts'
import { sandboxFolder } from '../support/sandbox-folder.ts'
import { expectHistory, sandbox, shown } from './demo-sandbox.ts'

test('The sandbox has 30 days that were lived through: charts have figures, books and balances are right', async () => {
  const { database, start } = await sandbox(await sandboxFolder())
  const product = await start()
  expectHistory(await shown(product.address))
  await product.terminate()
  expect(await command(['audit'], { database, drivers: DRIVERS })).toMatchObject({ status: 0 })
})
