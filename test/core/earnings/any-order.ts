import fc from 'fast-check'
import { expect } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { proveEarnings } from '../../support/earnings-proof.ts'
import { openService, tally } from '../../support/service.ts'
import { kind } from '../../support/weighted-step.ts'

const HOUR = 3_600_000
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
/** Of every order and renewal. */
const DAYS = 2
/** What the agent pays for a proxy a day and for a GB. */
const PROXY = 333_333n
const GIGABYTE = 750_001n

/** Of what there is when the step is made. */
const which = fc.nat(5)
/** In 10^-6 of the currency. */
const micros = fc.integer({ min: 1, max: 400_000 })

const action = fc.oneof(
  kind(2, 'price', { percent: fc.constantFrom(0, 12.34, 33.33, 250), which: fc.nat(2) }),
  kind(8, 'buy', { isStatic: fc.boolean(), count: fc.integer({ min: 1, max: 3 }), byAgent: fc.boolean() }),
  kind(6, 'work', {}),
  kind(3, 'renew', { which }),
  kind(3, 'cancel', { which, some: fc.boolean() }),
  kind(4, 'refund', { which, micros: fc.option(micros), traffic: fc.boolean() }),
  kind(3, 'replace', { which }),
  kind(3, 'mature', {}),
  kind(4, 'move', { micros }),
  kind(5, 'payout', { micros }),
  kind(3, 'end payout', { which, how: fc.constantFrom('cancel', 'paid', 'refuse') }),
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

const round = fc.record({
  /** All of them happen at once. */
  actions: fc.array(action, { minLength: 1, maxLength: 3 }),
  /** What the clock does afterwards. */
  hours: fc.constantFrom(0, 0, 1, 11, 24),
})

/**
 * An agent that pays 0.333333 for a proxy a day and 0.750001 for a GB, with a sub-user. Something of each kind is there from the
 * beginning, so that there is something to renew, to give back and to use.
 */
async function openWorld() {
  const service = await openService({
    payouts: { min: 1, rate: 7_123_457, isAddress: () => true },
    operatorChats: [900],
  })
  const { core } = service
  const agent = await service.agent({ balance: 50 })
  const user = await service.customer(agent, { balance: 500 })
  const day = { periodUnit: 1, periodLength: 1, refundHours: 23 } as const
  await service.product('static', { ...day, price: 0.333333 })
  await service.stock('static', 12)
  await core.operator.editProduct(SHELL, 'static', { replacePolicy: 'auto' })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 0.750001 })
  await core.earnings.setPrice(agent, { markupPercent: 41.7 })
  for (const count of [1, 2, 3]) {
    await service.order(user, { ipCount: count, duration: DAYS, unit: 1 })
    await service.buyTraffic(user, { trafficAmount: count })
    await core.earnings.requestPayout(agent, { amount: 0.2, address: ADDRESS })
  }
  await service.runJobs()
  return { ...service, agent, user, txids: 0 }
}
type World = Awaited<ReturnType<typeof openWorld>>

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(items.length, 1)]
}

async function carryOut(world: World, step: Action): Promise<void> {
  const { core, db, agent, user } = world
  const units = (amount: number) => amount / 1_000_000
  const orderAt = async (index: number) => {
    const found = pick(await db.read.staticOrder.findMany({ orderBy: { id: 'desc' } }), index)
    const instances = await db.read.instance.findMany({ where: { orderId: found?.id ?? 0 } })
    return { orderNo: found?.orderNo ?? '-', instanceNo: instances.at(-1)?.instanceNo ?? '-' }
  }
  switch (step.do) {
    case 'price': {
      const scope = [{}, { productNo: 'static' }, { productNo: 'traffic', userId: user.id }][step.which]
      await core.earnings.setPrice(agent, { ...scope, markupPercent: step.percent })
      return
    }
    case 'buy':
      if (step.isStatic) {
        const size = { ipCount: step.count, duration: DAYS, unit: 1 as const }
        await world.order(step.byAgent ? agent : user, { ...size, poolId: 'static', userId: user.id })
      } else
        await world.buyTraffic(step.byAgent ? agent : user, { userId: user.id, trafficAmount: step.count })
      return
    case 'work':
      await world.runJobs()
      return
    case 'renew': {
      const { orderNo } = await orderAt(step.which)
      await core.orders.renewStatic(user, { order: { orderNo }, duration: DAYS })
      return
    }
    case 'cancel': {
      const { orderNo, instanceNo } = await orderAt(step.which)
      await core.orders.cancelStatic(user, { orderNo, instances: step.some ? [instanceNo] : undefined })
      return
    }
    case 'refund': {
      const traffic = pick(await db.read.dynamicOrder.findMany({ orderBy: { id: 'desc' } }), step.which)
      const orderNo = step.traffic ? (traffic?.orderNo ?? '-') : (await orderAt(step.which)).orderNo
      const amount = step.micros === null ? null : units(step.micros)
      await core.operator.orders.refund(SHELL, { orderNo, amount, reason: 'test' })
      return
    }
    case 'replace': {
      const { instanceNo } = await orderAt(step.which)
      await core.orders.replaceInstance(user, { instanceNo, reason: 'does not connect', refund: true })
      return
    }
    case 'mature':
      await core.jobs.matureEarnings()
      return
    case 'move':
      await core.earnings.toBalance(agent, { amount: units(step.micros) })
      return
    case 'payout':
      await core.earnings.requestPayout(agent, { amount: units(step.micros), address: ADDRESS })
      return
    case 'end payout': {
      const payoutNo = pick(await db.read.payout.findMany(), step.which)?.payoutNo ?? '-'
      if (step.how === 'cancel') await core.earnings.cancelPayout(agent, payoutNo)
      else if (step.how === 'refuse') await core.operator.payouts.refuse(SHELL, { payoutNo, reason: 'test' })
      else {
        const txid = String((world.txids += 1)).padStart(64, '0')
        await core.operator.payouts.paid(SHELL, { payoutNo, txid })
      }
    }
  }
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

/** Every payment is the price of the agent and its earning, and nothing of either is lost. */
async function prove(world: World): Promise<void> {
  const { db, agent, user, core, audited } = world
  await audited()
  const { id: staticId } = await db.read.product.findUniqueOrThrow({ where: { productNo: 'static' } })
  // The agent's prices are never changed.
  await proveEarnings(world, ({ productId }) => (productId === staticId ? PROXY : GIGABYTE))
  const ledger = await db.read.ledgerEntry.findMany({ where: { accountId: user.id } })
  const earnings = await db.read.earning.findMany()
  const payouts = await db.read.payout.findMany()

  const net = sum(earnings.map(({ amount, reversed }) => amount - reversed))
  const moved = await db.read.ledgerEntry.findMany({ where: { source: { startsWith: 'earnings:' } } })
  const account = await db.read.account.findUniqueOrThrow({ where: { id: agent.id } })
  expect(Number(account.balance) - 50_000_000).toBe(Number(sum(moved.map(({ amount }) => amount))))
  for (const { amount, rate, usdtUnits } of payouts) {
    expect(usdtUnits * rate <= amount * 1_000_000n).toBe(true)
    expect((usdtUnits + 1n) * rate > amount * 1_000_000n).toBe(true)
  }

  const { revenue, refunds, agents } = (await core.operator.profit(SHELL, { from: '2026-01-01' })).total
  const entries = ledger.filter(({ type }) => type === 'consumption' || type === 'refund')
  const income = -sum(entries.map(({ amount }) => amount))
  expect([BigInt(revenue - refunds), BigInt(agents)]).toEqual([income - net, net])
  const { total } = await core.earnings.report(agent, { startDate: '2026-01-01' })
  expect(BigInt(total.earned - total.takenBack)).toBe(net)
}

/** Rounds of everything that earns, after each of which the books are proved. */
export const anyOrder = fc.asyncProperty(
  fc.array(round, { minLength: 12, maxLength: 20, size: 'max' }),
  async (rounds) => {
    const world = await openWorld()
    for (const { actions, hours } of rounds) {
      // A refusal is fine; anything else that is thrown is a bug, and tally throws it.
      tally(await Promise.allSettled(actions.map((step) => carryOut(world, step))))
      await prove(world)
      world.clock.advance(hours * HOUR)
    }
  },
)
