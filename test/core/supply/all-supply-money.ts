import fc from 'fast-check'
import { expect } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { Actor } from '../../../src/core/access/actor.ts'
import type { Behaviour, FaultKind, SupplierEmulator } from '../../../src/emulators/supplier/types.ts'
import { ipipv } from '../../../src/suppliers/ipipv/driver.ts'
import { proveEarnings, withoutMarkup } from '../../support/earnings-proof.ts'
import { type ScriptedProber, scriptedProber } from '../../support/scripted-prober.ts'
import { openService, type Service, tally } from '../../support/service.ts'
import { startSupplier } from '../../support/supplier.ts'
import { kind } from '../../support/weighted-step.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MICROS = 1_000_000n
/** Of a proxy of the own stock for a day: what agents pay, and what their sub-users do. */
const OWN_PRICE = 0.333333
const OWN_RESOLD = 0.5
/** On proxies of the supplier, in percent, of the agents in their order. */
const MARKUPS = [41.7, 12.34] as const
/** Of the operator, of each agent, and one that there is not. */
const CODES = ['SHOP', 'TENTH', 'CENT', 'NONE'] as const

/** Of what there is when the step is made. */
const which = fc.nat(11)
const days = fc.integer({ min: 1, max: 3 })
const on = fc.constantFrom('open', 'renew', 'release', 'order', 'instance', 'info', 'product/query')
const what: fc.Arbitrary<FaultKind> = fc.constantFrom(
  'lose_answer',
  'lose_request',
  'truncate',
  'garbage',
  'status_502',
  'status_429',
  'refuse',
)
const behaviour: fc.Arbitrary<Partial<Behaviour>> = fc.record(
  {
    delayMs: fc.constantFrom(0, 3_000, 10 * MINUTE),
    deliversAtMost: fc.constantFrom(0, 1, 2, Infinity),
    dearerByPercent: fc.constantFrom(0, 0, 1, 40),
    failsRenewals: fc.boolean(),
    outOfStock: fc.constantFrom('no', 'no', 'refuses', 'fails'),
    repeatedNumber: fc.constantFrom('first answer', 'refusal'),
    unknownOrder: fc.constantFrom('no data', 'empty order', 'refusal'),
  },
  { requiredKeys: [] },
)
const HONEST: Partial<Behaviour> = {
  delayMs: 0,
  deliversAtMost: Infinity,
  dearerByPercent: 0,
  failsRenewals: false,
  outOfStock: 'no',
  repeatedNumber: 'first answer',
  unknownOrder: 'no data',
}

const action = fc.oneof(
  kind(9, 'order', {
    which,
    product: fc.constantFrom('own', 'fixed', 'fixed', 'following', 'following'),
    count: fc.integer({ min: 1, max: 4 }),
    days,
    byAgent: fc.boolean(),
    promo: fc.option(fc.constantFrom(...CODES), { nil: undefined, freq: 2 }),
  }),
  kind(9, 'lane', {}),
  kind(6, 'work', {}),
  kind(6, 'renew', { which, some: fc.boolean(), days }),
  kind(4, 'cancel', { which, some: fc.boolean() }),
  kind(5, 'replace', { which, refund: fc.boolean() }),
  kind(2, 'decide', { which, allow: fc.boolean() }),
  kind(3, 'dies', { which }),
  kind(3, 'refund', { which, micros: fc.option(fc.integer({ min: 1, max: 2_000_000 })) }),
  kind(2, 'move', { which, to: fc.constantFrom(0, 1, undefined) }),
  kind(1, 'mature', {}),
  kind(2, 'move earnings', { which, micros: fc.integer({ min: 1, max: 2_000_000 }) }),
  kind(1, 'reset', { which }),
  kind(2, 'price', { cents: fc.integer({ min: 100, max: 600 }) }),
  kind(2, 'cost', { product: fc.constantFrom('p1', 'p2'), micros: fc.integer({ min: 1, max: 5_000_000 }) }),
  kind(2, 'behave', { behaviour }),
  kind(4, 'fault', { on, what }),
  kind(2, 'resolve', {}),
  kind(1, 'restart', {}),
  kind(1, 'pause', { isPaused: fc.boolean() }),
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

const round = fc.record({
  /** Everything in it happens at once. */
  steps: fc.array(action, { minLength: 8, maxLength: 14, size: 'max' }),
  /** What the clock does afterwards. */
  minutes: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 20 }) },
    { weight: 2, arbitrary: fc.constantFrom(45, 180) },
    { weight: 1, arbitrary: fc.constantFrom(1_400, 3_000) },
  ),
})

/**
 * A shop with stock of its own and an account at an emulated supplier, two agents and two customers of each. All agents earn. `fixed` has a price of its own,
 * that of `following` follows the cost; both are billed by the day.
 *
 * @param rate account currency for one unit of the supplier's
 */
async function openWorld(rate: number): Promise<World> {
  const { supplier, access, clock } = await startSupplier()
  for (const productNo of ['p1', 'p2'])
    supplier.setProduct({ productNo, costPrice: '1.234567', unit: 1, duration: 1, inventory: 1_000 })
  const prober = scriptedProber()
  const service = await openService({
    clock,
    drivers: { ipipv },
    checks: { prober: () => prober, regular: false },
    operatorChats: [900],
  })
  const { core, db } = service
  await core.operator.suppliers.add(SHELL, {
    name: 'upstream',
    driver: 'ipipv',
    refundHours: 24,
    rate,
    ...access,
  })
  await core.operator.suppliers.sync(SHELL, 'upstream')
  const sold = {
    names: { en: 'Sold', zh: '代理' },
    supplier: 'upstream',
    refundHours: 23,
    replacePolicy: 'auto',
  } as const
  await core.operator.addSuppliedProduct(SHELL, { ...sold, productNo: 'fixed', offers: ['p1'], price: 3 })
  await core.operator.addSuppliedProduct(SHELL, {
    ...sold,
    productNo: 'following',
    offers: ['p2'],
    marginPercent: 30,
  })
  await service.product('own', { periodUnit: 1, periodLength: 1, price: OWN_PRICE, refundHours: 23 })
  await service.stock('own', 30)
  const agents = [
    await service.agent({ balance: 150 }),
    await service.agent({ balance: 150, funding: 'mint' }),
  ]
  const customers: Actor[] = []
  for (const [index, agent] of agents.entries()) {
    for (const balance of [150, 60]) customers.push(await service.customer(agent, { balance }))
    await core.earnings.setPrice(agent, { markupPercent: MARKUPS[index] })
    await core.earnings.setPrice(agent, { productNo: 'own', price: OWN_RESOLD })
  }
  // Exactly, so that a price tells the price to which the markup was added.
  await core.operator.setAgentPriceTerms(SHELL, { step: 0.000001 })
  const [SHOP, TENTH, CENT] = CODES
  await core.operator.promotions.add(SHELL, { code: SHOP, percent: 15 })
  await core.promotions.create(agents[0] as Actor, { code: TENTH, percent: 10 })
  await core.promotions.create(agents[1] as Actor, { code: CENT, amount: 0.01, maxUses: 9 })
  const accounts = [...agents, ...customers]
  const { id: connectionId } = await db.read.supplierConnection.findFirstOrThrow()
  const world = { ...service, supplier, prober, accounts, connectionId, rate }
  // The poorer customers have bought nothing yet.
  for (const buyer of accounts.filter((_, index) => index !== 3 && index !== 5))
    for (const poolId of ['fixed', 'following', 'fixed'])
      await world.order(buyer, { poolId, ipCount: 2, duration: 2, unit: 1 })
  for (let turn = 0; turn < 2; turn += 1) {
    await advance(world)
    clock.advance(10_000)
  }
  await world.runJobs()
  return world
}
interface World extends Service {
  readonly supplier: SupplierEmulator
  readonly prober: ScriptedProber
  readonly accounts: readonly Actor[]
  readonly connectionId: number
  readonly rate: number
}

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(items.length, 1)]
}

/** What the lane does: each due call one step. */
async function advance({ core, connectionId }: World): Promise<void> {
  const due = await core.supply.due({ connectionId, limit: 100 })
  await Promise.all(due.map((call) => core.supply.advance(call)))
}

/** The operator decides by what the supplier has. */
async function resolve({ core, db, supplier }: World): Promise<void> {
  const doubtful = await db.read.supplierCall.findMany({ where: { state: 'in_doubt' } })
  for (const { callNo } of doubtful) {
    const order = supplier.order(callNo)
    await core.operator.suppliers.resolve(SHELL, callNo, order ? { found: order.orderNo } : { absent: true })
  }
}

async function carryOut(world: World, step: Action): Promise<void> {
  const { core, db, supplier, prober, accounts } = world
  const proxy = async (index: number) => {
    const rows = await db.read.instance.findMany({ orderBy: { id: 'desc' }, include: { order: true } })
    const found = pick(rows, index)
    const owner = accounts.find(({ id }) => id === found?.userId)
    if (!found || !owner) return undefined
    const { instanceNo, ip, order } = found
    return { instanceNo, ip, orderNo: order.orderNo, owner }
  }
  switch (step.do) {
    case 'order': {
      const user = pick(accounts, step.which) as Actor
      const now = await db.read.account.findUniqueOrThrow({ where: { id: user.id } })
      const agent = step.byAgent ? accounts.find(({ id }) => id === now.agentId) : undefined
      const { product: poolId, count: ipCount, days: duration, promo: promoCode } = step
      await world.order(agent ?? user, { poolId, userId: user.id, ipCount, duration, unit: 1, promoCode })
      return
    }
    case 'lane':
      return advance(world)
    case 'work':
      return world.runJobs()
    case 'renew':
    case 'cancel':
    case 'replace':
    case 'dies':
    case 'refund':
    case 'reset': {
      const found = await proxy(step.which)
      if (!found) return
      const { owner, orderNo, instanceNo } = found
      const reason = 'does not connect'
      if (step.do === 'renew')
        await core.orders.renewStatic(owner, {
          order: { orderNo },
          instances: step.some ? [{ instanceNo }] : undefined,
          duration: step.days,
          unit: 1,
        })
      else if (step.do === 'cancel')
        await core.orders.cancelStatic(owner, { orderNo, instances: step.some ? [instanceNo] : undefined })
      else if (step.do === 'replace')
        await core.orders.replaceInstance(owner, { instanceNo, reason, refund: step.refund })
      else if (step.do === 'refund')
        await core.operator.orders.refund(SHELL, {
          orderNo,
          amount: step.micros === null ? null : step.micros / 1e6,
          release: step.micros === null,
          reason,
        })
      else if (step.do === 'reset') await core.orders.resetCredentials(owner, instanceNo)
      else {
        prober.dead.add(found.ip)
        await core.checks.check(owner, { instanceNo })
      }
      return
    }
    case 'move': {
      const { username } = pick(accounts.slice(2), step.which) as Actor
      const agent = step.to === undefined ? null : (accounts[step.to]?.username ?? null)
      await core.operator.customers.move(SHELL, { username, agent, reason: 'asked for it' })
      return
    }
    case 'mature':
      await core.jobs.matureEarnings()
      return
    case 'move earnings':
      await core.earnings.toBalance(accounts[step.which % 2] as Actor, { amount: step.micros / 1e6 })
      return
    case 'decide': {
      const wish = pick(await db.read.replacement.findMany({ where: { status: 'requested' } }), step.which)
      if (!wish) return
      const { replacementNo } = wish
      await core.operator.replacements.decide(SHELL, { replacementNo, allow: step.allow, refund: true })
      return
    }
    case 'price':
      await core.operator.setPrice(SHELL, { productNo: 'fixed', price: step.cents / 100 })
      return
    case 'cost':
      supplier.setProduct({ productNo: step.product, costPrice: (step.micros / 1e6).toFixed(6) })
      return
    case 'behave':
      Object.assign(supplier.behaviour, step.behaviour)
      return
    case 'fault':
      supplier.faults.add({ on: step.on, what: step.what })
      return
    case 'resolve':
      return resolve(world)
    case 'restart':
      return world.restarted().supply.takeOver()
    case 'pause':
      await core.operator.suppliers[step.isPaused ? 'pause' : 'resume'](SHELL, 'upstream')
  }
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
/** A decimal amount of the supplier, in 10^-6 of its currency. */
const units = (amount: string) => BigInt(Math.round(Number(amount) * 1e6))

/** A decimal amount of the supplier in 10^-6 of the account currency, rounded down. */
const inAccountCurrency = ({ rate }: World, amount: string) =>
  (units(amount) * BigInt(Math.round(rate * 1e6))) / MICROS
const larger = (one: bigint, other: bigint) => (one > other ? one : other)

/** What the supplier took for a number, less what it gave back, in 10^-6 of the account currency; fractions are our loss. */
function takenFor({ supplier, rate }: World, callNo: string): bigint {
  const taken = -sum(
    supplier.charges().flatMap(({ appOrderNo, amount }) => (appOrderNo === callNo ? [units(amount)] : [])),
  )
  const product = taken * BigInt(Math.round(rate * 1e6))
  const whole = product / MICROS
  return product > 0n && product % MICROS !== 0n ? whole + 1n : whole
}

const PARTLY_DONE = 5

/** Every payment is the shop's part and the earning of an agent: what they pay for the own stock, or without their markup. */
async function proveParts(world: World) {
  const { id: ownId } = await world.db.read.product.findUniqueOrThrow({ where: { productNo: 'own' } })
  return proveEarnings(world, ({ agentId, productId, unitPrice }) =>
    productId === ownId
      ? units(String(OWN_PRICE))
      : withoutMarkup(unitPrice, MARKUPS[agentId === world.accounts[0]?.id ? 0 : 1]),
  )
}

/** Money is neither made nor lost, here or at the supplier. */
async function prove(world: World) {
  const { db, audited, supplier } = world
  await audited()
  const { got, left } = await proveParts(world)
  const accounts = await db.read.account.findMany()
  const entries = await db.read.ledgerEntry.findMany()
  for (const { id, balance } of accounts) {
    expect(balance).toBeGreaterThanOrEqual(0n)
    expect(balance).toBe(sum(entries.filter(({ accountId }) => accountId === id).map(({ amount }) => amount)))
  }
  const running = new Set(
    supplier.instances().flatMap(({ status, instanceNo }) => (status === 3 ? [instanceNo] : [])),
  )
  const gotByOrder = new Map<number, bigint>()
  for (const { id, orderNo, renewals } of await db.read.staticOrder.findMany({
    include: { renewals: true },
  })) {
    const sources = [`order:${orderNo}`, ...renewals.map(({ renewOrderNo }) => `renewal:${renewOrderNo}`)]
    gotByOrder.set(id, sum(sources.map((source) => got.get(source) ?? 0n)))
  }
  const calls = await db.read.supplierCall.findMany()
  for (const { callNo, orderId, state, kind, count, cost, expectedCost, request } of calls) {
    const paid = got.get(`order:${callNo}`) ?? got.get(`renewal:${callNo}`)
    const most = inAccountCurrency(world, (JSON.parse(request) as { ceiling?: string }).ceiling ?? '0')
    // Whatever agents and codes make of a price, the supplier may not take more than what the shop gets, for a replacement not more
    // than all that it got for the order or, where that is more, the expected cost.
    if (paid !== undefined) {
      expect(expectedCost).toBeLessThanOrEqual(paid)
      expect(most).toBeLessThanOrEqual(paid)
    } else expect(most).toBeLessThanOrEqual(larger(expectedCost, gotByOrder.get(orderId) ?? 0n))
    expect(supplier.uses(callNo).processed).toBeLessThanOrEqual(1)
    if (state !== 'settled' && state !== 'refused') continue
    const order = supplier.order(callNo)
    // What an order cost that was done in part, the supplier does not say (rules 11.14).
    const expected =
      order?.status === PARTLY_DONE && kind !== 'release'
        ? (expectedCost * BigInt(order.done) + BigInt(count) - 1n) / BigInt(count)
        : order?.status === PARTLY_DONE
          ? 0n
          : takenFor(world, callNo)
    expect([callNo, kind, state, cost]).toEqual([callNo, kind, state, expected])
    if (kind !== 'release') expect(cost).toBeGreaterThanOrEqual(0n)
    // What is refunded here does not run there.
    const opened = kind === 'open' && state === 'refused' ? (order?.instanceNos ?? []) : []
    expect(opened.filter((instanceNo) => running.has(instanceNo))).toEqual([])
  }
  return left
}

/** Ends all that is under way: the supplier is honest again, and time goes by. */
async function finish(world: World): Promise<void> {
  const { core, db, clock, supplier } = world
  supplier.faults.clear()
  Object.assign(supplier.behaviour, HONEST)
  await core.operator.suppliers.resume(SHELL, 'upstream')
  await expect
    .poll(
      async () => {
        clock.advance(2 * MINUTE)
        await advance(world)
        await resolve(world)
        await world.runJobs()
        return (
          (await db.read.supplierCall.count({ where: { nextAt: { not: null } } })) +
          (await db.read.staticOrder.count({ where: { status: 'processing' } })) +
          (await db.read.renewal.count({ where: { status: 'processing' } })) +
          (await db.read.replacement.count({ where: { status: 'processing' } }))
        )
      },
      { timeout: 60_000, interval: 1 },
    )
    .toBe(0)
}

/** In the end the mirror shows the supplier's balance, and the profit is what was earned less what the supplier took. */
async function proveEnd(world: World): Promise<void> {
  const { core, db, supplier, rate } = world
  const left = await prove(world)
  await core.operator.suppliers.sync(SHELL, 'upstream')
  const { balance } = await db.read.supplierConnection.findFirstOrThrow()
  expect(balance).toBe((units(supplier.account.coin) * BigInt(Math.round(rate * 1e6))) / MICROS)

  const { products } = await core.operator.profit(SHELL, { from: '2026-02-01' })
  const orders = await db.read.staticOrder.findMany({ include: { product: true } })
  const calls = await db.read.supplierCall.findMany()
  const earnings = await db.read.earning.findMany()
  const earnedBy = (number: string) =>
    sum(earnings.map(({ orderNo, amount, reversed }) => (orderNo === number ? amount - reversed : 0n)))
  for (const { productNo, revenue, refunds, agents, cost, margin } of products) {
    const sold = orders.filter(({ product }) => product.productNo === productNo)
    const ids = new Set(sold.map(({ id }) => id))
    const income = sum(sold.map(({ orderNo }) => left.get(orderNo) ?? 0n))
    const earned = sum(sold.map(({ orderNo }) => earnedBy(orderNo)))
    expect([revenue - refunds, agents]).toEqual([Number(income), Number(earned)])
    if (productNo === 'own') continue
    const costs = Number(sum(calls.flatMap((call) => (ids.has(call.orderId) ? [call.cost ?? 0n] : []))))
    expect([cost, margin]).toEqual([costs, revenue - refunds - costs])
  }
}

/** Rounds of everything that is done at a supplier, after each of which the books are proved. */
export const allSupplyMoney = fc.asyncProperty(
  fc.array(round, { minLength: 5, maxLength: 9, size: 'max' }),
  fc.constantFrom(1, 0.137),
  async (rounds, rate) => {
    const world = await openWorld(rate)
    for (const { steps, minutes } of rounds) {
      await world.core.supply.sync(world.connectionId)
      // A refusal is fine; anything else that is thrown is a bug, and tally throws it.
      tally(await Promise.allSettled(steps.map((step) => carryOut(world, step))))
      await prove(world)
      await advance(world)
      await world.runJobs()
      world.clock.advance(minutes * MINUTE)
    }
    await finish(world)
    await proveEnd(world)
    world.clock.advance(400 * DAY)
    await world.runJobs()
    await world.core.jobs.matureEarnings()
    expect(await world.db.read.earning.count({ where: { state: 'pending' } })).toBe(0)
    await prove(world)
  },
)
