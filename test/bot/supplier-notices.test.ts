import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { openDatabase } from '../../src/core/database/database.ts'
import { sealing } from '../../src/core/sealed.ts'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { ANN, CUSTOMER, SECRET, startProduct } from '../support/product.ts'
import { connection, offers } from '../support/supplied-product.ts'
import { movableClock } from '../support/movable-clock.ts'
import { testSupplier } from '../support/test-supplier.ts'

const OPS: EmulatedUser = { id: 700, firstName: 'Olivia', languageCode: 'en' }

/** A shop that sells proxies of a supplier at 4, and its operator and customer in the chat. */
async function shopWith(supplier: ReturnType<typeof testSupplier>, clock: Clock = systemClock) {
  const product = await startProduct(
    { clock, drivers: { ipipv: supplier.kind } },
    { operatorChats: [OPS.id] },
  )
  const ops = product.phone(OPS)
  ops.send('/operator')
  await ops.waitFor(/Operator/)
  const ann = await product.memberPhone(ANN)
  const db = await openDatabase(product.config.databaseUrl, { locked: true })
  const credentials = sealing(SECRET, 'credentials of suppliers').seal({ key: 'k', secret: 's' }, 'upstream')
  const id = await connection({ db, clock }, { driver: 'ipipv', credentials })
  await offers({ db, clock }, id, [{ offerNo: 'LA' }])
  await db.close()
  const { core } = product
  const names = { names: { en: 'Supplied', zh: '供应' }, supplier: 'upstream' }
  await core.operator.addSuppliedProduct(SHELL, { ...names, productNo: 'supplied', offers: ['LA'], price: 4 })
  const { token } = await core.accounts.logIn({ ...CUSTOMER, address: 'test' })
  const buyer = await core.accounts.authenticate(token)
  const order = (ipCount: number) =>
    core.orders.createStatic(buyer, { poolId: 'supplied', userId: buyer.id, ipCount, duration: 1, unit: 3 })
  return { core, ops, ann, order, until: product.until }
}

test('operator and customer hear of an order in doubt, and the customer of what the operator decides', async () => {
  const supplier = testSupplier([{ offerNo: 'LA' }], { capabilities: { findsByNumber: false } })
  const { core, ops, ann, order } = await shopWith(supplier)
  supplier.meets('place', 'request_lost')
  const { orderNo } = await order(2)
  const asked = await ops.read(/It is not known whether upstream has carried out a request/)
  expect(asked).toContain('2 proxies, about 4.00 USD')
  expect(asked).toContain(`Order ${orderNo}`)
  await ann.waitFor(/Your order takes longer than usual \(2 proxies\)/)
  await core.supply.resolve(orderNo, { absent: true })
  await ann.waitFor(/The order could not be delivered/)
})

test('operator and customer hear of an order that the supplier does not finish', async () => {
  const clock = movableClock(new Date().toISOString())
  const supplier = testSupplier([{ offerNo: 'LA' }])
  supplier.behaviour.immediate = false
  const { ops, ann, order, until } = await shopWith(supplier, clock)
  const { orderNo } = await order(2)
  // The time of the next look counts from now.
  await until(`SELECT 1 FROM supplier_calls WHERE state = 'accepted'`)
  clock.advance(31 * 60_000)
  const told = await ops.read('upstream has not finished a request')
  expect(told).toContain('2 proxies, accepted there and open since')
  expect(told).toContain(`Order ${orderNo}`)
  await ann.waitFor(/Your order takes longer than usual \(2 proxies\)/)
})

test('the operator hears what a supplier charged and delivered otherwise than ordered', async () => {
  const supplier = testSupplier([{ offerNo: 'LA' }])
  const { ops, order } = await shopWith(supplier)
  Object.assign(supplier.behaviour, {
    delivers: 3,
    charges: 3,
    expireTime: new Date(Date.now() + 10 * 86_400_000).toISOString(),
  })
  await order(2)
  await ops.waitFor(/upstream charged more than it quoted/)
  await ops.waitFor(/upstream delivered proxies that nobody gets/)
  await ops.waitFor(/Proxies of upstream expire too early/)
})
