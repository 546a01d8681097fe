import { expect, onTestFinished, test, vi } from 'vitest'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { PATIENCE } from '../support/patience.ts'
import { operator } from '../support/processes.ts'
import { sandboxFolder } from '../support/sandbox-folder.ts'
import { postTo } from '../support/sandbox-phone.ts'
import { temporaryDirectory } from '../support/service.ts'
import { sandbox } from './buying-sandbox.ts'

test('A kill forgets nothing that the supplier has sold, nor what was switched', async () => {
  const { database, start } = await sandbox(await sandboxFolder())
  const first = await start()
  await first.logIn()
  await first.buy(1)
  await first.customer.see(/proxies are ready \(1\)/)
  await first.switchFault('slow', true)
  await first.buy(2)
  await vi.waitUntil(async () => (await first.supplier()).orders.length === 2, PATIENCE)
  const before = await first.supplier()
  expect(before).toMatchObject({
    balance: '490.40',
    orders: [{ state: 'open', count: 2 }, { state: 'done' }],
  })
  await first.kill()

  const second = await start()
  expect(await second.supplier()).toEqual(before)
  // A minute is what a slow order takes.
  await postTo(second.address, 'wallet/minutes', {})
  await second.customer.see(/proxies are ready \(2\)/)
  expect(await second.ended(2)).toMatchObject({ faults: { slow: true }, balance: '490.40' })
  expect((await second.supplier()).proxies).toHaveLength(3)
  await second.terminate()
  expect(await operator(['audit'], { database })).toMatchObject({ status: 0 })
})

test('The supplier calls back when an order is done, and nothing waits for the next look', async () => {
  const { database, start } = await sandbox(await sandboxFolder())
  const { customer, logIn, buy, switchFault, address, terminate } = await start()
  await logIn()
  await switchFault('slow', true)
  await buy(1)
  const connection = new SqliteDatabase(database)
  // Far away, so that only a callback can bring it about.
  const postpone = connection.prepare(
    `UPDATE supplier_calls SET next_at = '2100-01-01T00:00:00.000Z' WHERE state = 'accepted'`,
  )
  await vi.waitUntil(() => postpone.run().changes === 1, PATIENCE)
  connection.close()
  await postTo(address, 'wallet/minutes', {})
  await customer.see(/proxies are ready \(1\)/)
  await terminate()
})

test('A sandbox that was there before gets the supplier and its product', async () => {
  const { database, start } = await sandbox(await sandboxFolder())
  const connection = new SqliteDatabase(database)
  connection.exec(`
    DELETE FROM locations WHERE offer_id IS NOT NULL;
    DELETE FROM products WHERE supplier <> 'inventory';
    DELETE FROM supplier_offers;
    DELETE FROM supplier_connections;
  `)
  connection.close()

  const later = await start()
  await later.logIn()
  await later.buy(1)
  await later.customer.see(/proxies are ready \(1\)/)
  await later.terminate()
})

test('With CHECK_PROXIES=on the history is there all the same, and what is bought is checked before it is delivered', async () => {
  const { database, start } = await sandbox(await temporaryDirectory(), { CHECK_PROXIES: 'on' })
  const { logIn, buy, customer } = await start()
  const tables = new SqliteDatabase(database, { readonly: true })
  onTestFinished(() => void tables.close())
  const read = (sql: string) => tables.prepare(sql).pluck().get()
  expect(read(`SELECT count(*) FROM static_orders WHERE status = 'processing'`)).toBe(0)
  expect(read(`SELECT count(*) FROM delivery_checks`)).toBe(0)
  await logIn()
  await buy(2)
  await customer.see(/Your proxies are ready/)
  expect(read(`SELECT checked FROM delivery_checks WHERE failing = 0`)).toBe(2)
})
