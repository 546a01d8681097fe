import { expect, test, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { connection, offers } from '../support/supplied-product.ts'
import { PATIENCE } from '../support/patience.ts'
import { CUSTOMER, startProduct } from '../support/product.ts'
import { sealing } from '../../src/core/sealed.ts'
import { SECRET } from '../support/product.ts'
import { testSupplier } from '../support/test-supplier.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openDatabase } from '../../src/core/database/database.ts'

/** The product with two connections, `slow` and `quick`, at two third parties, and a product of each. */
async function twoSuppliers() {
  const slow = testSupplier([{ offerNo: 'S' }])
  const quick = testSupplier([{ offerNo: 'Q' }])
  const product = await startProduct({ drivers: { ipipv: slow.kind, 'reseller-api': quick.kind } })
  const { core } = product
  const db = await openDatabase(product.config.databaseUrl, { locked: true })
  const clock = systemClock
  const sealed = (name: string) =>
    sealing(SECRET, 'credentials of suppliers').seal({ key: 'key', secret: 'secret' }, name)
  const add = async (name: string, driver: string, offerNo: string) => {
    const id = await connection(
      { db, clock },
      { name, driver, credentials: sealed(name), balance: 1000, concurrency: 2 },
    )
    await offers({ db, clock }, id, [{ offerNo }])
    await core.operator.addSuppliedProduct(SHELL, {
      productNo: name,
      names: { en: name, zh: name },
      supplier: name,
      offers: [offerNo],
      price: 4,
    })
    return id
  }
  const ids = { slow: await add('slow', 'ipipv', 'S'), quick: await add('quick', 'reseller-api', 'Q') }
  await db.close()
  const { token } = await core.accounts.logIn({ ...CUSTOMER, address: 'test' })
  const buyer = await core.accounts.authenticate(token)
  const order = (poolId: string) =>
    core.orders.createStatic(buyer, { poolId, userId: buyer.id, ipCount: 1, duration: 1, unit: 3 })
  const status = async (orderNo: string) => (await core.orders.getStatic(buyer, { orderNo })).status
  return { product, core, slow, quick, ids, order, status }
}

test('a supplier that hangs delays only its own orders', async () => {
  const { slow, order, status } = await twoSuppliers()
  slow.meets('place', 'hangs', 'hangs', 'hangs')
  const hanging = await Promise.all([order('slow'), order('slow'), order('slow')])
  await vi.waitUntil(() => slow.asked.filter((asked) => asked.startsWith('place')).length === 2, PATIENCE)
  const { orderNo } = await order('quick')
  await vi.waitUntil(async () => (await status(orderNo)) === 'active', PATIENCE)
  expect(await Promise.all(hanging.map((one) => status(one.orderNo)))).toEqual([
    'processing',
    'processing',
    'processing',
  ])
  // No more than its two requests at once.
  expect(slow.mostBusy).toBe(2)
})

test('orders are bought at once, and a callback makes the core look', async () => {
  const { product, core, quick, ids, order, status } = await twoSuppliers()
  quick.behaviour.immediate = false
  const { orderNo } = await order('quick')
  await vi.waitUntil(() => quick.orders.has(orderNo), PATIENCE)
  await product.until(`SELECT 1 FROM supplier_calls WHERE state = 'accepted'`)
  // Far away, so that only a callback can bring it about.
  await product.edit(`UPDATE supplier_calls SET next_at = '2100-01-01T00:00:00.000Z'`)
  quick.finish(orderNo)
  const secret = sealing(SECRET, 'credentials of suppliers').digest(`callback ${ids.quick}`)
  const base = product.app.addresses['api']?.replace(/\/api$/, '') ?? ''
  const call = (path: string) => fetch(`${base}${path}`)
  for (const wrong of [
    `/suppliers/quick/${secret}x`,
    `/suppliers/slow/${secret}`,
    `/suppliers/nobody/${secret}`,
    '/suppliers/quick/x',
  ])
    expect((await call(`${wrong}?no=${orderNo}`)).status).toBe(404)
  expect(await status(orderNo)).toBe('processing')
  const answers = await Promise.all(
    ['no=unknown', `no=${orderNo}`, `no=${orderNo}`, 'no=P1', 'other=1', ''].map((query) =>
      call(`/suppliers/quick/${secret}?${query}`),
    ),
  )
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 200])
  expect(await answers[0]?.json()).toEqual({ code: 'success' })
  await vi.waitUntil(async () => (await status(orderNo)) === 'active', PATIENCE)
  expect((await call(`/suppliers/quick/${secret}?no=${orderNo}`)).status).toBe(200)
  expect(await core.operator.audit()).toEqual([])
  expect(product.log.join('\n')).not.toContain(secret)
})
