import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SqliteDatabase } from '../../src/core/database/driver.ts'
import { DEMO_ACCOUNTS } from '../../src/sandbox/demo-accounts.ts'
import { PEOPLE } from '../../src/sandbox/sandbox.ts'
import type { UpstreamFault, UpstreamState } from '../../src/sandbox/upstream.ts'
import type { EmulatedMessage } from '../../src/emulators/telegram/types.ts'
import { PATIENCE } from '../support/patience.ts'
import { startProcess } from '../support/process.ts'
import { operator } from '../support/processes.ts'
import { postTo, sandboxPhone } from '../support/sandbox-phone.ts'
import { temporaryDirectory } from '../support/service.ts'

/** A sandbox of its own; its customer can log in and buy from the supplier. */
async function sandbox(settings: Readonly<Record<string, string>> = {}) {
  const directory = await temporaryDirectory()
  const database = join(directory, 'reseller.db')
  const environment = { PORT: '0', DATABASE_URL: `file:${database}`, RATE_LIMIT_CHAT: '0', ...settings }
  return {
    database,
    start: async () => {
      const product = await startProcess(environment, directory)
      const customer = sandboxPhone(product.address, PEOPLE.customer.id)
      const supplier = async () =>
        (await (await fetch(`${product.address}/sandbox/api/supplier`)).json()) as UpstreamState
      /** Asks for a new menu, and returns what it says. */
      const menu = async () => {
        const newest = (await customer.messages()).at(-1)?.messageId ?? 0
        await customer.send('/menu')
        const isNew = ({ messageId, text }: EmulatedMessage) => messageId > newest && /Main menu/.test(text)
        return (await customer.waitFor(isNew)).text
      }
      return {
        ...product,
        customer,
        menu,
        manager: sandboxPhone(product.address, PEOPLE.operator.id),
        supplier,
        switchFault: async (fault: UpstreamFault, isOn: boolean) => {
          const { status } = await postTo(product.address, 'supplier/faults', { fault, isOn })
          expect(status).toBe(200)
        },
        logIn: async () => {
          await customer.send('/login')
          await customer.see(/username/)
          await customer.send(DEMO_ACCOUNTS.customer.username)
          await customer.see(/password/)
          await customer.send(DEMO_ACCOUNTS.customer.password)
          await customer.see(/Main menu/)
        },
        /** Buys proxies in London at 4.16 each: 30 % more than the 3.20 that they cost. */
        buy: async (count: number) => {
          await menu()
          for (const label of [/Buy proxies/, /^🏷/, /^(✓ )?Suppl/]) await customer.choose(label)
          await customer.send('London')
          const number = new RegExp(`^(✓ )?${count}$`)
          // What was bought there before names the city, too.
          await customer.waitFor(
            ({ text, keyboard }) =>
              /London/.test(text) && keyboard.flat().some(({ text: label }) => number.test(label)),
          )
          await customer.choose(number)
          await customer.choose(/Buy for/)
        },
        /** Waits until the supplier shows so many orders, all of which have ended. */
        ended: (orders: number) =>
          vi.waitUntil(async () => {
            const state = await supplier()
            const open = state.orders.filter(({ state: one }) => one === 'open')
            return state.orders.length === orders && open.length === 0 && state
          }, PATIENCE),
      }
    },
  }
}

test('A customer buys from the supplier, whose faults cost nobody money', async () => {
  const { database, start } = await sandbox()
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
  expect(await operator(['audit'], { database })).toMatchObject({ status: 0 })
})

test('A kill forgets nothing that the supplier has sold, nor what was switched', async () => {
  const { database, start } = await sandbox()
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
  const { database, start } = await sandbox()
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
  const { database, start } = await sandbox()
  await (await start()).terminate()
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
  const { database, start } = await sandbox({ CHECK_PROXIES: 'on' })
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
