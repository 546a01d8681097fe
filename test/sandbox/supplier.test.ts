import { expect, test } from 'vitest'
import { DRIVERS } from '../../src/suppliers/drivers.ts'
import { command } from '../support/command-line.ts'
import { sandboxFolder } from '../support/sandbox-folder.ts'
import { sandbox } from './buying-sandbox.ts'

test('A customer buys from the supplier, whose faults cost nobody money', async () => {
  const { database, start } = await sandbox(await sandboxFolder())
  const { customer, manager, menu, supplier, ended, buy, logIn, switchFault, terminate } = await start()
  await logIn()
  await buy(2)
  const { text } = await customer.see(/proxies are ready \(2\)/)
  expect(await ended(1)).toMatchObject({
    balance: '493.60',
    orders: [{ kind: 'open', state: 'done', count: 2, done: 2, amount: '6.40' }],
  })
  const { proxies } = await supplier()
  expect(proxies).toHaveLength(2)
  for (const { ip, port } of proxies) expect(text).toContain(`${ip}:${port}:`)

  await switchFault('losesAnswers', true)
  await buy(5)
  await customer.see(/proxies are ready \(5\)/)
  expect(await ended(2)).toMatchObject({ balance: '477.60', orders: [{ count: 5, done: 5 }, {}] })
  await switchFault('losesAnswers', false)

  await switchFault('outOfStock', true)
  await buy(1)
  await customer.see(/could not be delivered|failed/)
  expect(await ended(3)).toMatchObject({ balance: '477.60', orders: [{ state: 'failed', done: 0 }, {}, {}] })
  expect(await menu()).toContain('20.88 USD')
  await switchFault('outOfStock', false)

  await manager.send('/operator')
  await manager.choose(/Suppliers/)
  await manager.see(/demo-supplier/)
  await terminate()
  expect(await command(['audit'], { database, drivers: DRIVERS })).toMatchObject({ status: 0 })
})
