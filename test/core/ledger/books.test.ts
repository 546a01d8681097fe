import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { Actor } from '../../../src/core/access.ts'
import { transferToSubUser } from '../../../src/core/ledger/transfer.ts'
import type { SupplyOrder } from '../../../src/core/orders/supplier.ts'
import { delivers, scriptedSupplier } from '../../support/scripted-supplier.ts'
import { openService, refused, tally } from '../../support/service.ts'
import { rowsOf } from '../../support/raw-rows.ts'

const UNIT = 1_000_000

describe('money between an agent and its sub-user', () => {
  async function family(funding: 'transfer' | 'mint') {
    const service = await openService()
    const seller = await service.agent({ balance: 100, funding })
    const user = await service.customer(seller)
    const transfer = (units: number) =>
      service.db.write((tx) =>
        transferToSubUser(tx, service.clock.now(), seller, user.id, units * UNIT, { remark: 'test' }),
      )
    const balances = async () => [await service.balance(seller), await service.balance(user)]
    return { ...service, seller, user, transfer, balances }
  }

  it('goes from one to the other and back, and both have an entry', async () => {
    const { transfer, balances, entries, seller, user, audited } = await family('transfer')
    expect(await transfer(30)).toMatchObject({ balanceAfter: 30 * UNIT })
    await transfer(-10)
    expect(await balances()).toEqual([80, 20])
    const kinds = async (who: Actor) =>
      (await entries(who)).map(({ type, amount }) => `${type} ${Number(amount) / UNIT}`)
    expect(await kinds(seller)).toEqual(['adjust 100', 'transfer_out -30', 'transfer_in 10'])
    expect(await kinds(user)).toEqual(['transfer_in 30', 'transfer_out -10'])
    await audited()
  })

  it('stays where it is when the giver has too little, whoever that is', async () => {
    const { transfer, balances, audited } = await family('transfer')
    await refused(transfer(100.000001), 'insufficient_balance', {
      required: 100.000001,
      balance: 100,
      shortfall: 0.000001,
    })
    await transfer(40)
    await refused(transfer(-41), 'insufficient_balance', { required: 41, balance: 40, shortfall: 1 })
    expect(await balances()).toEqual([60, 40])
    await audited()
  })

  it('is not overdrawn by many transfers at once', async () => {
    const { transfer, balances, audited } = await family('transfer')
    const results = await Promise.allSettled(Array.from({ length: 150 }, () => transfer(1)))
    expect(tally(results)).toEqual({ ok: 100, insufficient_balance: 50 })
    expect(await balances()).toEqual([0, 100])
    await audited()
  })

  it('comes from nowhere under mint, and goes back there', async () => {
    const { transfer, balances, entries, user, audited } = await family('mint')
    await transfer(500)
    await transfer(-200)
    await refused(transfer(-301), 'insufficient_balance')
    expect(await balances()).toEqual([100, 300])
    expect((await entries(user)).map(({ type }) => type)).toEqual(['adjust', 'adjust'])
    await audited()
  })

  it('is the initial balance of a new sub-user: all or nothing', async () => {
    const { core, seller, balances, db, user, audited } = await family('transfer')
    const create = (username: string, balance: number) =>
      core.accounts.createSubUser(seller, { username, password: 'secret', balance })
    await create('paid', 60)
    await refused(create('unpaid', 60), 'insufficient_balance')
    await refused(
      core.accounts.createSubUser(user, { username: 'nobody', password: 'secret' }),
      'agent_required',
    )
    expect(await balances()).toEqual([40, 0])
    expect(await db.read.account.count()).toBe(3)
    await audited()
  })
})

describe('an adjustment by the operator', () => {
  it('adds and takes, never below 0 and never beyond what a balance can be', async () => {
    const { core, agent, balance, audited } = await openService()
    const [poor, rich] = [await agent({ name: 'poor' }), await agent({ name: 'rich' })]
    const adjust = (username: string, amount: number) =>
      core.operator.adjustBalance(SHELL, { username, amount, remark: 'test' })
    expect(await adjust('POOR', 12.5)).toMatchObject({
      username: 'poor',
      amount: 12_500_000,
      oldBalance: 0,
      newBalance: 12_500_000,
    })
    await refused(adjust('poor', -12.500001), 'balance_below_zero')
    await adjust('poor', -12.5)
    for (let billions = 0; billions < 9; billions += 1) await adjust('rich', 1e9)
    await refused(adjust('rich', 0.000001), 'validation_error')
    expect([await balance(poor), await balance(rich)]).toEqual([0, 9e9])
    await audited()
  })

  it('is refused for nobody, for nothing, and without a reason', async () => {
    const { core, agent } = await openService()
    await agent({ name: 'somebody' })
    const adjust = (username: string, amount: number, remark = 'test') =>
      core.operator.adjustBalance(SHELL, { username, amount, remark })
    await refused(adjust('nobody', 5), 'user_not_found')
    for (const amount of [0, -0, 0.0000001, 1e10, Number.NaN])
      await refused(adjust('somebody', amount), 'validation_error')
    await refused(adjust('somebody', 5, '  '), 'validation_error')
  })
})

describe('whatever happens, in whatever order and at the same time', () => {
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

  it('the books balance', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 }),
        async (rounds) => {
          const service = await openService({ suppliers: { moody: scriptedSupplier(moody) } })
          const seller = await service.agent({ balance: 30 })
          const buyers = [
            seller,
            await service.customer(seller, { balance: 10 }),
            await service.customer(seller),
          ]
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
      ),
      { numRuns: 12 },
    )
  })

  async function completeOnce({ core }: Awaited<ReturnType<typeof openService>>): Promise<void> {
    const jobs = await core.jobs.queue.claim(4, 0)
    await Promise.all(jobs.map((job) => core.jobs.handleOrder(job)))
  }

  it('also when the same money is wanted from all sides', async () => {
    const service = await openService()
    const seller = await service.agent({ balance: 50 })
    const user = await service.customer(seller, { balance: 50 })
    await service.product()
    await service.stock('static', 200)
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => {
        if (index % 4 === 0) return service.order(user)
        if (index % 4 === 1) return service.order(seller, { userId: user.id })
        if (index % 4 === 2)
          return service.core.operator.adjustBalance(SHELL, {
            username: user.username,
            amount: -1,
            remark: 'fee',
          })
        return service.db.write((tx) =>
          transferToSubUser(tx, service.clock.now(), seller, user.id, -1 * UNIT, { remark: 'taken back' }),
        )
      }),
    )
    const counts = tally(results)
    expect(counts['ok']).toBe(50)
    expect(await service.balance(user)).toBe(0)
    await service.audited()
    await service.runJobs()
    await service.audited()
  })
})
