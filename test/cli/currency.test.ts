import { expect, test } from 'vitest'
import { openDatabase } from '../../src/core/database/database.ts'
import { command } from '../support/command-line.ts'
import { startProcess } from '../support/process.ts'
import { databaseFile, temporaryDirectory } from '../support/service.ts'

const run = async (database: string, currency: string, ...args: string[]) => {
  const { status, stdout, stderr } = await command(args, { database, env: { CURRENCY: currency } })
  return [status, (status === 0 ? stdout : stderr).trim()]
}

test('Amounts stay in the currency of the first start, for commands and servers, unless the operator says otherwise', async () => {
  const database = await databaseFile()
  expect(await run(database, 'USD', 'currency')).toEqual([0, 'No start has said it yet'])
  expect(await run(database, 'USD', 'product', 'list')).toEqual([0, 'There are no products yet'])
  const refusal =
    'The amounts in this database are in USD, and CURRENCY is CNY: set CURRENCY=USD, or DATABASE_URL to another file'
  expect(await run(database, 'CNY', 'product', 'list')).toEqual([1, refusal])
  const environment = { DATABASE_URL: `file:${database}`, CURRENCY: 'CNY', SANDBOX: 'on', PORT: '0' }
  await expect(startProcess(environment, await temporaryDirectory())).rejects.toThrow(refusal)

  await expect(run(database, 'USD', 'currency', 'cny')).rejects.toThrow('such as CNY')
  expect(await run(database, 'USD', 'currency', 'CNY')).toEqual([
    0,
    'All amounts are in CNY from now on, and none was converted. Set CURRENCY=CNY before the next start.',
  ])
  expect(await run(database, 'CNY', 'product', 'list')).toEqual([0, 'There are no products yet'])
  const db = await openDatabase(`file:${database}`)
  expect(await db.read.setting.findUnique({ where: { key: 'currency' } })).toMatchObject({ value: 'CNY' })
  await db.close()
})
