import fc from 'fast-check'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { Actor } from '../../../src/core/access/actor.ts'
import type { Delivery, SupplyOrder } from '../../../src/core/supply/supplier.ts'
import { delivers, scriptedSupplier } from '../../support/scripted-supplier.ts'
import { openService, tally } from '../../support/service.ts'

const HOUR = 3_600_000

const which = fc.nat(7)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      own: fc.boolean(),
      count: fc.integer({ min: 1, max: 4 }),
      days: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('complete' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('renew' as const),
      which,
      days: fc.integer({ min: 1, max: 3 }),
      some: fc.boolean(),
      key: fc.option(fc.nat(3)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), which, some: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('auto' as const), which, on: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('price' as const), cents: fc.integer({ min: 0, max: 300 }) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
const round = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 10 }),
  hours: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: -30, max: 60 }), fc.constant(24 * 400)),
})

/** Delivers all, some or nothing, or does not know yet. */
const moody = (order: SupplyOrder): Delivery =>
  order.orderId % 4 === 3
    ? { status: 'pending', retryAfterMs: 0 }
    : delivers(Math.floor((order.ipCount * (order.orderId % 4)) / 2))(order)

async function world() {
  const service = await openService({ suppliers: { moody: scriptedSupplier(moody) } })
  const seller = await service.agent({ balance: 60 })
  const users: readonly Actor[] = [seller, await service.customer(seller, { balance: 30 })]
  await service.product('own', { price: 0.333333, periodUnit: 1, periodLength: 1, refundHours: 23 })
  await service.stock('own', 12)
  await service.product('moody', { price: 0.5, periodUnit: 1, periodLength: 1, supplier: 'moody' })
  await service.db.write((tx) => tx.location.create({ data: { productId: 2, countryCode: 'US' } }))
  return { ...service, seller, users }
}

async function carryOut(service: Awaited<ReturnType<typeof world>>, action: Step): Promise<unknown> {
  const { core, users, seller } = service
  const orderNo = async (index: number) => {
    const { items } = await core.orders.listStatic(seller)
    return items[index % Math.max(items.length, 1)]
  }
  switch (action.do) {
    case 'create': {
      const user = users[action.days % 2] ?? seller
      const poolId = action.own ? 'own' : 'moody'
      return service.order(user, { poolId, ipCount: action.count, duration: action.days, unit: 1 })
    }
    case 'complete': {
      const jobs = await core.jobs.queue.claim(8, 0)
      return Promise.all(jobs.map((job) => core.jobs.handleOrder(job)))
    }
    case 'renew': {
      const order = await orderNo(action.which)
      const some = order?.instances.slice(0, 1).map(({ instanceNo }) => ({ instanceNo }))
      return core.orders.renewStatic(seller, {
        order: { orderNo: order?.orderNo ?? '-' },
        instances: action.some && some?.length ? some : undefined,
        duration: action.days,
        appOrderNo: action.key === null ? undefined : `key-${action.key}`,
      })
    }
    case 'cancel': {
      const order = await orderNo(action.which)
      const some = order?.instances.slice(-1).map(({ instanceNo }) => instanceNo)
      return core.orders.cancelStatic(seller, {
        orderNo: order?.orderNo ?? '-',
        instances: action.some && some?.length ? some : undefined,
      })
    }
    case 'auto':
      return core.orders.setAutoRenew(seller, {
        orderNo: (await orderNo(action.which))?.orderNo ?? '-',
        autoRenew: action.on,
      })
    case 'sweep':
      return core.jobs.sweepStaticOrders()
    case 'price':
      return core.operator.setPrice(SHELL, { productNo: 'own', price: action.cents / 100 })
  }
}

/** Whatever happens to orders, after which the books are proved. */
export const booksBalance = fc.asyncProperty(
  fc.array(round, { minLength: 1, maxLength: 7 }),
  async (rounds) => {
    const service = await world()
    for (const { steps, hours } of rounds) {
      // A refusal is fine; anything else that is thrown is a bug, and tally throws it.
      tally(await Promise.allSettled(steps.map((action) => carryOut(service, action))))
      await service.audited()
      service.clock.advance(hours * HOUR)
    }
    await service.core.jobs.sweepStaticOrders()
    await service.audited()
  },
)
