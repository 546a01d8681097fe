import type { Actor } from '../../src/core/access/actor.ts'
import { sealing } from '../../src/core/sealed.ts'
import type { Capabilities, DriverKind, SupplierInstance } from '../../src/core/supply/driver.ts'
import { delivers, scriptedSupplier } from './scripted-supplier.ts'
import { JWT_SECRET, type Service } from './service.ts'

const ALL: Capabilities = {
  findsByNumber: true,
  renews: true,
  releases: true,
  resets: true,
  takesCeiling: true,
}

const never = () => Promise.reject(new Error('nothing is sent in this test'))

/** A kind of third party that is never called: the tests end its calls themselves. */
function silentKind(capabilities: Partial<Capabilities>): DriverKind {
  return {
    connect: () => ({
      capabilities: { ...ALL, ...capabilities },
      balance: never,
      catalogue: never,
      place: never,
      find: never,
      instances: never,
      orders: never,
      running: never,
    }),
  }
}

/** Options of a service whose connection `acme` has a driver with these capabilities. */
export function withAcme(capabilities: Partial<Capabilities> = {}) {
  return {
    suppliers: { acme: scriptedSupplier(delivers(3)) },
    drivers: { ipipv: silentKind(capabilities) },
  }
}

interface SuppliedOptions {
  /** Hours in which the supplier takes proxies back. */
  readonly refundHours?: number
  /** Until when the supplier runs the proxies. */
  readonly supplierExpireTime?: string
  readonly cost?: number
}

/**
 * An order of 3 proxies at 1 each, delivered by the connection `acme`, where each costs 0.6 a month.
 *
 * @param buyer pays 3
 */
export async function suppliedOrder(service: Service, buyer: Actor, options: SuppliedOptions = {}) {
  const { db, core, clock } = service
  const { refundHours = 24, supplierExpireTime, cost = 600_000 } = options
  const now = clock.now()
  await service.product('static', { supplier: 'acme' })
  await db.write(async (tx) => {
    await tx.$kysely
      .updateTable('products')
      .set({ minMarginBps: 1_000 })
      .where('productNo', '=', 'static')
      .execute()
    await tx.$kysely.insertInto('locations').values({ productId: 1, countryCode: 'US' }).execute()
  })
  const { orderNo } = await service.order(buyer, { ipCount: 3 })
  await service.runJobs()
  await db.write(async (tx) => {
    const { id: connectionId } = await tx.$kysely
      .insertInto('supplierConnections')
      .values({
        name: 'acme',
        driver: 'ipipv',
        url: 'https://acme.example.com',
        credentials: sealing(JWT_SECRET, 'credentials of suppliers').seal({ key: 'k', secret: 's' }, 'acme'),
        rate: 2_000_000,
        refundHours,
        balance: 100_000_000,
        syncDueAt: now,
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const place = { name: 'US', proxyType: 103, countryCode: 'US', periodUnit: 3, periodLength: 1 }
    const { id: offerId } = await tx.$kysely
      .insertInto('supplierOffers')
      .values({ ...place, connectionId, offerNo: 'us', cost, stock: 100, seenAt: now, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.$kysely.updateTable('locations').set({ offerId }).where('id', '=', 1).execute()
    const order = await tx.$kysely
      .updateTable('staticOrders')
      .set({ locationId: 1, providerOrderNo: 'their-7', cost: 3 * cost })
      .where('orderNo', '=', orderNo)
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.$kysely
      .insertInto('supplierCalls')
      .values({
        callNo: orderNo,
        subject: orderNo,
        orderId: order.id,
        connectionId,
        kind: 'open',
        state: 'settled',
        request: '{}',
        count: 3,
        cost: 3 * cost,
        providerOrderNo: 'their-7',
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await tx.$kysely
      .updateTable('instances')
      .set({ cost, ...(supplierExpireTime !== undefined && { supplierExpireTime }) })
      .execute()
  })
  const found = () => core.orders.getStatic(buyer, { orderNo })
  return {
    orderNo,
    found,
    /** What the supplier says of some of the proxies, by their positions. */
    answers: async (positions: readonly number[], change: Partial<SupplierInstance> = {}) => {
      const { instances } = await found()
      return positions.flatMap((position) => {
        const proxy = instances[position]
        if (!proxy) return []
        const { providerInstanceNo, ip, port, username, password } = proxy
        return [{ providerInstanceNo, ip, port, username, password, status: 'running' as const, ...change }]
      })
    },
    call: async (callNo: string) => {
      const call = await db.read.$kysely
        .selectFrom('supplierCalls')
        .selectAll()
        .where('callNo', '=', callNo)
        .executeTakeFirstOrThrow()
      return { ...call, request: JSON.parse(call.request) as Record<string, unknown> }
    },
  }
}
