import fc from 'fast-check'
import { expect } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, tally } from '../../support/service.ts'

const megabytes = fc.integer({ min: 1, max: 3000 })
const buyer = fc.nat(1)
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('buy' as const), buyer, megabytes, number: fc.nat(6) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('use' as const),
      account: fc.nat(7),
      bytes: fc.integer({ min: 0, max: 2_500_000_000 }),
      // Few ids, so that reports are repeated and contradicted.
      report: fc.nat(30),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('create' as const), buyer, megabytes: fc.nat(1500) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      sub: fc.integer({ min: 1, max: 6 }),
      megabytes: fc.integer({ min: -2000, max: 2000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete' as const), sub: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      buyer,
      units: fc.integer({ min: -5, max: 5 }),
    }),
  },
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** Traffic that is bought, used and moved at once, after which the books are proved. */
export const trafficBooksBalance = fc.asyncProperty(
  fc.array(fc.array(action, { minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 6 }),
  async (rounds) => {
    const service = await openService()
    const { core, db } = service
    const seller = await service.agent({ balance: 12 })
    const user = await service.customer(seller, { balance: 8 })
    const owners = [seller, user]
    await service.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 0.750001 })
    for (const owner of owners) await service.buyTraffic(owner, { trafficAmount: 2 })

    /** Names at the gateway: main accounts, sub-accounts, deleted ones, and one that never was. */
    const accounts = async () => [
      ...(await db.read.traffic.findMany()).map(({ username }) => username),
      ...(await db.read.subAccount.findMany()).map(({ username }) => username),
      'nobody',
    ]
    const carryOut = async (step: Action): Promise<unknown> => {
      switch (step.do) {
        case 'buy':
          return service.buyTraffic(owners[step.buyer] ?? seller, {
            trafficAmount: step.megabytes / 1000,
            appOrderNo: `app-${step.number}`,
          })
        case 'use': {
          const names = await accounts()
          return core.traffic.recordUsage({
            reportId: `report-${step.report}`,
            account: names[step.account % names.length] ?? '',
            bytes: step.bytes,
          })
        }
        case 'create':
          return core.traffic.createSubAccount(owners[step.buyer] ?? seller, {
            productNo: 'traffic',
            amount: step.megabytes / 1000,
          })
        case 'move':
          return core.traffic.adjustSubAccountTraffic(seller, step.sub, {
            amount: step.megabytes / 1000,
          })
        case 'delete':
          return core.traffic.deleteSubAccount(seller, step.sub)
        case 'adjust':
          return core.operator.adjustBalance(SHELL, {
            username: (owners[step.buyer] ?? seller).username,
            amount: step.units,
            remark: 'test',
          })
      }
    }
    for (const round of rounds) {
      // A refusal is fine; anything else that is thrown is a bug, and tally throws it.
      tally(await Promise.allSettled(round.map(carryOut)))
      await service.audited()
      for (const owner of owners) {
        const { total, used, allocated, remaining } = await core.traffic.remainingFlow(
          owner,
          owner.id,
          'traffic',
        )
        expect(remaining).toBeGreaterThanOrEqual(0)
        expect(used + allocated + remaining).toBe(total)
      }
    }
  },
)
