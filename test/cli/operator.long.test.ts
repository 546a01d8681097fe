import { expect, it } from 'vitest'
import { command } from '../support/command-line.ts'
import { onPostgres } from '../support/postgres.ts'
import { openService, otherConnection, refused } from '../support/service.ts'

it.skipIf(onPostgres)('the operator waits longer for its turn to write than a request does', async () => {
  const service = await openService()
  const agent = await service.agent({ name: 'boss', balance: 100 })
  const other = otherConnection(service.path)
  other.exec('BEGIN IMMEDIATE')
  const args = ['balance', 'boss', '5', '--remark', 'cash']
  const done = command(args, { database: service.database })
  // Two requests that wait for their turn one after the other: the command has waited for longer than one of them by then.
  for (let nth = 0; nth < 2; nth += 1)
    await refused(
      service.db.write(() => Promise.resolve()),
      'unavailable',
    )
  other.exec('COMMIT')
  expect(await done).toMatchObject({ status: 0, stderr: '' })
  expect(await service.balance(agent)).toBe(105)
})
