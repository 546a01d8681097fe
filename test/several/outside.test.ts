import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { createSupplierEmulator } from '../../src/emulators/supplier/supplier-emulator.ts'
import { PATIENCE } from '../support/patience.ts'
import { AGENT } from '../support/product.ts'
import { serveSupplier } from '../support/supplier.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'
import { createBuyer, post } from './buyer.ts'
import { leads, openSeveralShop, withoutPostgres } from './several-shop.ts'

const LIMIT = { timeout: 240_000 }
/** A call of which the supplier knows nothing is sent again only when that has been so for a minute. */
const SETTLED = { timeout: 150_000, interval: 100 }
/** Half of the pause between two looks at the chain while nothing is expected. */
const SOON_MS = 30_000
const ORDERS_EACH = 15
const TYPES = ['order.created', 'order.ready']

describe.skipIf(withoutPostgres)('what two servers ask and tell of others', () => {
  it('is looked for on the chain by one soon after the other was asked for a top-up', LIMIT, async () => {
    const shop = await openSeveralShop(0)
    const first = await shop.start()
    await vi.waitUntil(() => leads(first), PATIENCE)
    const second = await shop.start()
    const { token } = await post<{ token: string }>(second, '/auth/login', AGENT)
    // From now on it would look once a minute.
    await vi.waitUntil(
      async () => (await shop.db.read.chainScan.count({ where: { lastSuccessAt: { not: null } } })) > 0,
      PATIENCE,
    )
    const { order_no: orderNo, pay_amount: amount } = await post<{ order_no: string; pay_amount: string }>(
      second,
      '/usdt/create-order',
      { amount: '20' },
      { token },
    )
    const orderedAt = performance.now()
    shop.pay(BigInt(Math.round(Number(amount) * 1e6)))
    const isPaid = async () =>
      (await shop.db.read.topUp.findUniqueOrThrow({ where: { orderNo } })).status === 'paid'
    await vi.waitUntil(isPaid, PATIENCE)
    expect(performance.now() - orderedAt).toBeLessThan(SOON_MS)
  })

  it('is asked once and told in order, though the leader is killed in the middle of it', LIMIT, async () => {
    const supplier = createSupplierEmulator({ clock: systemClock })
    supplier.setProduct({ productNo: 'us_la_30', costPrice: '0.5' })
    const shop = await openSeveralShop(0, { WEBHOOK_LOOPBACK: 'on', RATE_LIMIT_WRITES: '0' })
    await sellFrom(shop, (await serveSupplier(supplier)).access)
    const first = await shop.start()
    await vi.waitUntil(() => leads(first), PATIENCE)
    const second = await shop.start()
    const receiver = await webhookReceiver()
    const { token } = await post<{ token: string }>(second, '/auth/login', AGENT)
    await post(second, '/open/app/user/webhooks', { url: receiver.url }, { token })

    const buyers = [first, second].map((server) => createBuyer(server))
    const terms = { poolId: 'SUPPLIED', duration: 30, unit: 1 }
    const load = buyers.map((buyer, index) => buyer.buy(ORDERS_EACH, `${index}`, terms))
    await vi.waitUntil(() => supplier.orders().length > 2 && receiver.received.length > 2, PATIENCE)
    await first.kill()
    for (const buyer of buyers) buyer.server = second
    await Promise.all(load)
    const { db, core } = shop
    await vi.waitUntil(
      async () =>
        (await db.read.staticOrder.count({ where: { status: 'active' } })) === 2 * ORDERS_EACH &&
        (await db.read.webhookDelivery.count({ where: { status: { not: 'delivered' } } })) === 0,
      SETTLED,
    )

    const calls = await db.read.supplierCall.findMany()
    expect(calls).toHaveLength(2 * ORDERS_EACH)
    const asked = supplier.orders().map(({ appOrderNo }) => appOrderNo)
    expect(asked.toSorted()).toEqual(calls.map(({ callNo }) => callNo).toSorted())
    const told = new Map(receiver.received.map(({ id, type, data }) => [id, { type, no: data['order_no'] }]))
    const deliveries = await db.read.webhookDelivery.findMany()
    expect([...told.keys()].toSorted()).toEqual(deliveries.map(({ messageId }) => messageId).toSorted())
    for (const buyer of buyers)
      for (const orderNo of buyer.accepted.values())
        expect([...told.values()].filter(({ no }) => no === orderNo).map(({ type }) => type)).toEqual(TYPES)
    expect(await core.operator.audit()).toEqual([])
  })
})

/** Sells what a supplier has, as the product `SUPPLIED`. */
async function sellFrom(
  { core }: Pick<Awaited<ReturnType<typeof openSeveralShop>>, 'core'>,
  access: Awaited<ReturnType<typeof serveSupplier>>['access'],
): Promise<void> {
  const { operator } = core
  await operator.suppliers.add(SHELL, { name: 'upstream', driver: 'ipipv', refundHours: 24, ...access })
  await operator.suppliers.sync(SHELL, 'upstream')
  await operator.addSuppliedProduct(SHELL, {
    productNo: 'SUPPLIED',
    names: { en: 'Supplied', zh: '供应' },
    supplier: 'upstream',
    offers: ['us_la_30'],
    price: 1,
    refundHours: 24,
    replacePolicy: 'auto',
  })
}
