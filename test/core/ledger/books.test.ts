import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { Actor } from '../../../src/core/access/actor.ts'
import { transferToSubUser } from '../../../src/core/ledger/transfer.ts'
import { openService, refused, tally } from '../../support/service.ts'
import { booksBalance } from './books-in-any-order.ts'

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
      (await entries(who)).map(({ type, amount }) => `${type} ${amount / UNIT}`)
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
  it('the books balance', () => fc.assert(booksBalance, { numRuns: 3 }))

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
