import { expect, test } from 'vitest'
import { DRIVERS } from '../../src/suppliers/drivers.ts'
import { command } from '../support/command-line.ts'
import { sandbox, shown, UNDISTURBED } from './demo-sandbox.ts'

test('The sandbox begins with 30 days that were lived through: charts have figures, books and balances are right', async () => {
  const { database, start } = await sandbox()
  const first = await start()
  const before = await shown(first.address)
  expect(before).toMatchObject(UNDISTURBED)
  const days = before.subUsers as { orders: number }[]
  expect(days.filter(({ orders }) => orders > 0).length).toBeGreaterThan(12)
  expect(before.topUps.map(({ status }) => status)).toEqual(['paid', 'expired'])
  expect(before.dynamic).toMatchObject({ pool_id: 'DYN-1', used_traffic: 3.8, status: 'active' })
  expect(before.static['items']).toMatchObject([{ product_no: 'ISP-RES', status: 'active', ip_count: 3 }])
  await first.terminate()
  expect(await command(['audit'], { database, drivers: DRIVERS })).toMatchObject({ status: 0 })

  const second = await start()
  expect(await shown(second.address)).toEqual(before)
  await second.terminate()
})
