import { SHELL } from '../../src/core/people/operator.ts'
import type { CallKind, CallState } from '../../src/generated/prisma/client.ts'
import type { Actor } from '../../src/core/access/actor.ts'
import { bookEntry } from '../../src/core/ledger/book-entry.ts'
import { newNumber } from '../../src/core/ids.ts'
import type { Service } from './service.ts'
import { KEY, SECRET } from './test-driver.ts'

const DAY = 24 * 60 * 60_000

type WithCore = Pick<Service, 'core' | 'db' | 'clock'>

/** A connection of the test driver with its offers, and the product `isp` that sells the offer in Los Angeles at 5. */
export async function supplier({ core, db, clock }: WithCore, name = 'acme') {
  await core.operator.suppliers.add(SHELL, {
    name,
    driver: 'ipipv',
    url: 'https://supplier.example.com/api',
    key: KEY,
    secret: SECRET,
  })
  await core.operator.suppliers.sync(SHELL, name)
  await core.operator.addProduct(SHELL, { productNo: 'isp', names: { en: 'ISP', zh: '住宅' }, price: 5 })
  const { $kysely } = db.read
  const connection = await $kysely
    .selectFrom('supplierConnections')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const offer = await $kysely
    .selectFrom('supplierOffers')
    .selectAll()
    .where('connectionId', '=', connection.id)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const product = await db.write((tx) =>
    tx.$kysely
      .updateTable('products')
      .set({ supplier: name })
      .where('productNo', '=', 'isp')
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const place = { countryCode: offer.countryCode, state: offer.state, cityCode: offer.cityCode }
  const location = await db.write((tx) =>
    tx.$kysely
      .insertInto('locations')
      .values({ productId: product.id, offerId: offer.id, ...place })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return {
    name,
    connectionId: connection.id,
    productId: product.id,
    locationId: location.id,
    now: clock.now(),
  }
}

export type Supplied = Awaited<ReturnType<typeof supplier>>

interface OrderOptions {
  readonly count?: number
  /** In units of the currency, per proxy. */
  readonly price?: number
  readonly cost?: number | null
  readonly expectedCost?: number
  readonly state?: CallState
  readonly providerOrderNo?: string | null
  /** The supplier's numbers of the proxies. */
  readonly proxies?: readonly string[]
  readonly status?: 'active' | 'released' | 'expired'
}

const micros = (amount: number) => Math.round(amount * 1e6)

/** An order as it stands after its call has come to this state, with the entry that paid for it. */
export async function suppliedOrder(
  { db, clock }: WithCore,
  { connectionId, productId, locationId }: Supplied,
  user: Actor,
  {
    count = 1,
    price = 5,
    cost = 2 * count,
    expectedCost = 2 * count,
    state = 'settled',
    providerOrderNo = null,
    proxies = [],
    status = 'active',
  }: OrderOptions = {},
) {
  const now = clock.now()
  const orderNo = newNumber('S', now)
  const expireTime = new Date(now.getTime() + 30 * DAY)
  const open = state !== 'settled' && state !== 'refused'
  await db.write(async (tx) => {
    const order = await tx.$kysely
      .insertInto('staticOrders')
      .values({
        orderNo,
        callerId: user.id,
        userId: user.id,
        appOrderNo: orderNo,
        requestHash: '',
        productId,
        locationId,
        ipCount: count,
        successCount: proxies.length,
        duration: 1,
        unit: 3,
        cycleTimes: 1,
        periods: 1,
        unitPrice: micros(price),
        totalAmount: micros(price * count),
        status: open ? 'processing' : 'active',
        cost: cost === null ? null : micros(cost),
        expireTime,
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await bookEntry(tx, now, {
      accountId: user.id,
      type: 'consumption',
      amount: -micros(price * count),
      source: `order:${orderNo}`,
      orderType: 'static',
      orderNo,
      operatorId: user.id,
    })
    await tx.$kysely
      .insertInto('supplierCalls')
      .values(
        callRow(now, {
          connectionId,
          orderId: order.id,
          orderNo,
          count,
          cost,
          expectedCost,
          state,
          providerOrderNo,
        }),
      )
      .execute()
    for (const [at, providerInstanceNo] of proxies.entries())
      await tx.$kysely
        .insertInto('instances')
        .values({
          instanceNo: newNumber('I', now),
          orderId: order.id,
          userId: user.id,
          providerInstanceNo,
          ip: `203.0.113.${at + 1}`,
          port: 8000,
          username: `u-${providerInstanceNo}`,
          password: 'secret',
          countryCode: 'US',
          status,
          openedAt: now,
          releasedAt: status === 'released' ? now : null,
          expireTime,
          supplierExpireTime: expireTime,
        })
        .execute()
  })
  return { orderNo, expireTime: expireTime.toISOString() }
}

interface CallRow {
  readonly connectionId: number
  readonly orderId: number
  readonly orderNo: string
  readonly callNo?: string
  readonly kind?: CallKind
  readonly count: number
  readonly cost: number | null
  readonly expectedCost: number
  readonly state: CallState
  readonly providerOrderNo: string | null
}

function callRow(now: Date, call: CallRow) {
  const { connectionId, orderId, orderNo, callNo = orderNo, kind = 'open', count, state } = call
  const open = state !== 'settled' && state !== 'refused'
  return {
    callNo,
    connectionId,
    orderId,
    kind,
    state,
    count,
    subject: callNo,
    request: JSON.stringify({ kind, offerNo: 'US-LAX-30', count }),
    expectedCost: micros(call.expectedCost),
    cost: call.cost === null || open ? null : micros(call.cost),
    providerOrderNo: call.providerOrderNo,
    nextAt: open ? now : null,
    createdAt: now,
    updatedAt: now,
  }
}

/** A further call for an order, such as a renewal or a release. */
export async function suppliedCall(
  { db, clock }: WithCore,
  { connectionId }: Supplied,
  orderNo: string,
  call: { callNo: string; kind: CallKind; cost: number; state?: CallState },
): Promise<void> {
  const { id: orderId } = await db.read.$kysely
    .selectFrom('staticOrders')
    .select('id')
    .where('orderNo', '=', orderNo)
    .executeTakeFirstOrThrow()
  const row = {
    connectionId,
    orderId,
    orderNo,
    count: 1,
    expectedCost: 0,
    providerOrderNo: null,
    state: 'settled' as const,
  }
  await db.write((tx) =>
    tx.$kysely
      .insertInto('supplierCalls')
      .values(callRow(clock.now(), { ...row, ...call }))
      .execute(),
  )
}
