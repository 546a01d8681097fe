import fc from 'fast-check'
import { SHELL } from '../../../src/core/people/operator.ts'
import { transferToSubUser } from '../../../src/core/ledger/transfer.ts'
import type { SupplyOrder } from '../../../src/core/supply/supplier.ts'
import { delivers, scriptedSupplier } from '../../support/scripted-supplier.ts'
import { openService, tally } from '../../support/service.ts'
import { rowsOf } from '../../support/raw-rows.ts'

const UNIT = 1_000_000

const buyer = fc.nat(2)
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      buyer,
      ipCount: fc.integer({ min: 1, max: 6 }),
      cycleTimes: fc.integer({ min: 1, max: 3 }),
      own: fc.boolean(),
      number: fc.nat(5),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('complete' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      buyer,
      units: fc.integer({ min: -20, max: 20 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('transfer' as const),
      user: fc.nat(1),
      units: fc.integer({ min: -20, max: 20 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('withdraw' as const), id: fc.integer({ min: 1, max: 40 }) }),
  },
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** Delivers all, some or nothing, or does not know yet, depending on the order's number in the database. */
const moody = (order: SupplyOrder) =>
  order.orderId % 4 === 3
    ? ({ status: 'pending', retryAfterMs: 0 } as const)
    : delivers(Math.floor((order.ipCount * (order.orderId % 4)) / 2))(order)

/** Orders, transfers and adjustments at once, after which the books are proved. */
export const booksBalance = fc.asyncProperty(
  fc.array(fc.array(action, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 }),
  async (rounds) => {
    const service = await openService({ suppliers: { moody: scriptedSupplier(moody) } })
    const seller = await service.agent({ balance: 30 })
    const buyers = [seller, await service.customer(seller, { balance: 10 }), await service.customer(seller)]
    await service.product('own', { price: 1.25 })
    await service.stock('own', 40)
    await service.product('moody', { price: 0.333333, supplier: 'moody' })
    await service.db.write((tx) => tx.location.create({ data: { productId: 2, countryCode: 'US' } }))

    const carryOut = async (step: Action): Promise<unknown> => {
      switch (step.do) {
        case 'order': {
          const poolId = step.own ? 'own' : 'moody'
          // Few numbers, so that orders are repeated and contradicted.
          return service.order(buyers[step.buyer] ?? seller, {
            poolId,
            ipCount: step.ipCount,
            cycleTimes: step.cycleTimes,
            appOrderNo: `app-${step.number}`,
          })
        }
        case 'complete':
          return completeOnce(service)
        case 'adjust':
          return service.core.operator.adjustBalance(SHELL, {
            username: (buyers[step.buyer] ?? seller).username,
            amount: step.units,
            remark: 'test',
          })
        case 'transfer':
          return service.db.write((tx) =>
            transferToSubUser(
              tx,
              service.clock.now(),
              seller,
              (buyers[1 + step.user] ?? seller).id,
              step.units * UNIT,
              { remark: '' },
            ),
          )
        case 'withdraw':
          return service.db.write(
            (tx) => rowsOf(tx)`UPDATE stock_ips SET disabled = true WHERE id = ${step.id}`,
          )
      }
    }
    for (const round of rounds) {
      // A refusal is fine; anything else that is thrown is a bug, and tally throws it.
      tally(await Promise.allSettled(round.map(carryOut)))
      await service.audited()
    }
  },
)

async function completeOnce({ core }: Awaited<ReturnType<typeof openService>>): Promise<void> {
  const jobs = await core.jobs.queue.claim(4, 0)
  await Promise.all(jobs.map((job) => core.jobs.handleOrder(job)))
}
