import fc from 'fast-check'
import { expect } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import type { Actor } from '../../../src/core/access/actor.ts'
import type { Delivery, SupplyOrder } from '../../../src/core/supply/supplier.ts'
import { proveEarnings, withoutMarkup } from '../../support/earnings-proof.ts'
import { mortalDatabase, wasKilled } from '../../support/mortal-database.ts'
import { delivers, type ScriptedSupplier, scriptedSupplier } from '../../support/scripted-supplier.ts'
import { openService, type Service, tally } from '../../support/service.ts'
import { kind } from '../../support/weighted-step.ts'

const HOUR = 3_600_000
const OUTAGE = new Error('the supplier does not answer')

/** Of what there is when the step is made. */
const which = fc.nat(11)
/** Of an application: few, so that requests are repeated, contradicted, and used for another kind. */
const number = fc.option(fc.nat(3), { freq: 3 })
/** In units of the currency. */
const ceiling = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(0.3, 0.5, 1, 3))
const byAgent = fc.boolean()
/** Of the operator a percentage, an amount that is soon used up, and everything; one of each agent; and one that there is not. */
const CODES = ['THIRD', 'QUARTER', 'GIFT', 'TENTH', 'CENT', 'NONE'] as const
const promo = fc.option(fc.constantFrom(...CODES), { nil: undefined, freq: 2 })
const days = fc.integer({ min: 1, max: 3 })
/** In 10^-6 of the currency. */
const micros = fc.integer({ min: 1, max: 400_000 })
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
/** In percent, of the agents in their order. */
const MARKUPS = [41.7, 12.34] as const

const action = fc.oneof(
  kind(1, 'create user', { mint: fc.boolean(), units: fc.nat(12), name: fc.nat(7) }),
  kind(4, 'adjust user', { which, units: fc.integer({ min: -12, max: 12 }), stranger: fc.nat(9), number }),
  kind(1, 'delete user', { which }),
  kind(1, 'clear deleted', {}),
  kind(2, 'set status', { which, active: fc.boolean() }),
  kind(2, 'operator', { which, units: fc.integer({ min: -9, max: 9 }), paid: fc.boolean() }),
  kind(9, 'order', {
    which,
    byAgent,
    own: fc.boolean(),
    count: fc.integer({ min: 1, max: 4 }),
    days,
    number,
    ceiling,
    promo,
  }),
  kind(9, 'work', {}),
  kind(7, 'renew', { which, byAgent, some: fc.boolean(), days, number, ceiling }),
  kind(5, 'cancel', { which, byAgent, some: fc.boolean() }),
  kind(4, 'auto-renew', { which, byAgent, on: fc.boolean() }),
  kind(5, 'sweep', {}),
  kind(1, 'price', { own: fc.boolean(), cents: fc.integer({ min: 0, max: 150 }) }),
  kind(4, 'buy traffic', { which, byAgent, megabytes: fc.integer({ min: 1, max: 3000 }), number, promo }),
  kind(4, 'use traffic', { which, bytes: fc.nat(2_000_000_000), report: fc.nat(12) }),
  kind(2, 'create sub-account', { which, byAgent, megabytes: fc.nat(1500) }),
  kind(3, 'move traffic', { which, megabytes: fc.integer({ min: -1500, max: 1500 }) }),
  kind(1, 'delete sub-account', { which }),
  kind(3, 'refund', { which, micros: fc.option(micros), traffic: fc.boolean(), release: fc.boolean() }),
  kind(3, 'replace', { which }),
  kind(2, 'end', { which, some: fc.boolean() }),
  kind(3, 'move customer', { which, to: fc.constantFrom('transfer', 'mint', null) }),
  kind(2, 'ask for money', { which, micros }),
  kind(3, 'answer', { which, gives: fc.boolean() }),
  kind(2, 'mature', {}),
  kind(3, 'move earnings', { which, micros }),
  kind(4, 'payout', { which, micros }),
  kind(4, 'end payout', { which, how: fc.constantFrom('cancel', 'paid', 'paid', 'refuse') }),
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

const round = fc.record({
  /** Everything in it happens at once, and what is `twice` comes twice, as from a client that retries. */
  steps: fc.array(fc.record({ action, twice: fc.boolean() }), { minLength: 5, maxLength: 12, size: 'max' }),
  /** What the clock does afterwards. */
  /** After how many transactions of the round the process is killed, and whether the one that is lost is kept. */
  kill: fc.option(fc.record({ after: fc.nat(30), keeps: fc.boolean() }), { nil: undefined, freq: 2 }),
  hours: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 26 }) },
    { weight: 2, arbitrary: fc.constantFrom(23.5, 24, 47.5) },
    { weight: 1, arbitrary: fc.integer({ min: -30, max: 60 }) },
    { weight: 1, arbitrary: fc.constant(24 * 400) },
  ),
})

/** Depending on the order all, nothing, a part, too much, or a part or all after it knew nothing or did not answer. */
function flaky(): ScriptedSupplier {
  const supplier: ScriptedSupplier = scriptedSupplier((order: SupplyOrder): Delivery => {
    const early = supplier.asked.filter((orderNo) => orderNo === order.orderNo).length < 3
    const { ipCount } = order
    switch (order.orderId % 6) {
      case 0:
        return delivers(0, { reason: 'sold out' })(order)
      case 1:
        return delivers(Math.floor(ipCount / 2))(order)
      case 2:
        return delivers(ipCount + 2)(order)
      case 3:
        return early ? { status: 'pending', retryAfterMs: 0 } : delivers(ipCount)(order)
      case 4:
        if (early) throw OUTAGE
        return delivers(Math.ceil(ipCount / 2))(order)
      default:
        return delivers(ipCount)(order)
    }
  })
  return supplier
}

/** The answer to a repeated question comes a commit or two later, so that turns of the loop overlap in all ways. */
function dawdling(supplier: ScriptedSupplier, { db }: Service): void {
  const deliver = supplier.deliver.bind(supplier)
  supplier.deliver = async (order) => {
    const before = supplier.asked.filter((orderNo) => orderNo === order.orderNo).length
    for (let commits = before % 3; commits > 0; commits -= 1) await db.write(() => Promise.resolve())
    return deliver(order)
  }
}

/**
 * Two agents with three customers, stock for a few orders only, a supplier that cannot be relied on, and traffic. Each account has bought of
 * all, so that there is something to renew, cancel and use from the beginning.
 */
async function openWorld() {
  const supplier = flaky()
  let process: ReturnType<typeof mortalDatabase> | undefined
  const service = await openService({
    through: (db) => (process = mortalDatabase(db)).db,
    suppliers: { flaky: supplier },
    payouts: { min: 1, rate: 7_123_457, isAddress: () => true },
  })
  dawdling(supplier, service)
  const transfer = await service.agent({ balance: 40 })
  const mint = await service.agent({ balance: 20, funding: 'mint' })
  const accounts = [
    transfer,
    mint,
    await service.customer(transfer, { balance: 6 }),
    await service.customer(mint, { balance: 6 }),
    await service.customer(mint, { balance: 6 }),
  ]
  const daily = { periodUnit: 1, periodLength: 1 } as const
  await service.product('own', { ...daily, price: 0.333333, refundHours: 23 })
  await service.stock('own', 12)
  await service.product('flaky', { ...daily, price: 0.5, refundHours: 23, supplier: 'flaky' })
  await service.db.write((tx) => tx.location.create({ data: { productId: 2, countryCode: 'US' } }))
  for (const productNo of ['own', 'flaky'])
    await service.core.operator.editProduct(SHELL, productNo, { replacePolicy: 'auto', replaceLimit: 9 })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 0.750001 })
  const { earnings, promotions } = service.core
  // Exactly, so that a price tells the price to which the markup was added.
  await service.core.operator.setAgentPriceTerms(SHELL, { step: 0.000001 })
  const [THIRD, QUARTER, GIFT, TENTH, CENT] = CODES
  for (const code of [
    { code: THIRD, percent: 33 },
    { code: QUARTER, amount: 0.25, maxUses: 9, maxUsesPerUser: 3 },
    { code: GIFT, percent: 100, maxUses: 5, products: ['flaky', 'traffic'] },
  ])
    await service.core.operator.promotions.add(SHELL, code)
  await promotions.create(transfer, { code: TENTH, percent: 10 })
  await promotions.create(mint, { code: CENT, amount: 0.01, maxUses: 5 })
  for (const [index, agent] of [transfer, mint].entries())
    await earnings.setPrice(agent, { markupPercent: MARKUPS[index] })
  const told = {
    /** Micros that came from outside, or went there, as the answers of adjustments said. */
    granted: 78_000_000n,
    /** Transactions of payouts. */
    txids: 0,
    /** Numbers of all orders and renewals that anybody was told of. */
    orders: new Set<string>(),
    renewals: new Set<string>(),
  }
  for (const account of accounts) {
    const { order } = await service.buyTraffic(account)
    await service.core.traffic.createSubAccount(account, { productNo: 'traffic', amount: 0.25 })
    told.orders.add(order.orderNo)
    for (const poolId of ['own', 'flaky'])
      told.orders.add((await service.order(account, { poolId, duration: 2, unit: 1 })).orderNo)
  }
  for (const agent of [transfer, mint]) await earnings.requestPayout(agent, { amount: 0.1, address: ADDRESS })
  const world = {
    ...service,
    process: process as ReturnType<typeof mortalDatabase>,
    /** From the first kill on nobody was told of everything that was done. */
    killed: false,
    supplier,
    transfer,
    mint,
    accounts,
    told,
  }
  await work(world)
  return world
}
type World = Awaited<ReturnType<typeof openWorld>>

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(items.length, 1)]
}

/** What the background loop does in one turn; what fails is left for a later one. There is no lease: turns may overlap. */
async function work({ core, clock }: Service): Promise<void> {
  const { jobs } = core
  const claimed = await jobs.queue.claim(8, 0)
  // All have ended when this ends, also after a kill.
  await settled(
    claimed.map(async (job) => {
      try {
        const again = await jobs.handleOrder(job)
        if (again)
          await jobs.queue.retryLater(
            job,
            new Date(clock.now().getTime() + (again.retryAfterMs ?? 0)),
            'again',
          )
      } catch (error) {
        if (error !== OUTAGE) throw error
        await jobs.queue.retryLater(job, clock.now(), 'outage')
      }
    }),
  )
}

/** The accounts as a door would make them from their tokens: the operator moves customers. */
async function asTheyAreNow({ db, accounts }: World): Promise<Actor[]> {
  const rows = await db.read.account.findMany({ include: { agent: true } })
  return accounts.map((account) => {
    const row = rows.find(({ id }) => id === account.id)
    return { ...account, agentId: row?.agentId ?? null, level: row?.level ?? row?.agent?.level ?? null }
  })
}

/** @returns the number of the order or renewal that it made or repeated, if that is what it does */
async function carryOut(world: World, step: Action): Promise<string | undefined> {
  const { core, db, told } = world
  const accounts = await asTheyAreNow(world)
  const agentOf = ({ agentId }: Actor) => accounts.find(({ id }) => id === agentId)
  const account = (index: number) => pick(accounts, index) ?? world.transfer
  const buyer = (index: number, byAgent: boolean) => {
    const user = account(index)
    return { user, actor: (byAgent && agentOf(user)) || user }
  }
  const user = (index: number) => {
    const chosen = pick(accounts.slice(2), index) ?? world.transfer
    return { chosen, agent: agentOf(chosen) ?? world.transfer }
  }
  const agents = (index: number) => (index % 2 === 0 ? world.transfer : world.mint)
  const order = async (index: number, byAgent: boolean) => {
    const found = pick(await db.read.staticOrder.findMany({ orderBy: { id: 'desc' } }), index)
    const owner = accounts.find(({ id }) => id === found?.userId) ?? world.transfer
    const instances = await db.read.instance.findMany({ where: { orderId: found?.id ?? 0 } })
    return {
      orderNo: found?.orderNo ?? '-',
      actor: (byAgent && agentOf(owner)) || owner,
      first: instances[0]?.instanceNo,
      last: instances.at(-1)?.instanceNo,
    }
  }
  const appOrderNo = 'number' in step && step.number !== null ? `app-${step.number}` : undefined

  switch (step.do) {
    case 'create user': {
      const agent = step.mint ? world.mint : world.transfer
      const created = await core.accounts.createSubUser(agent, {
        username: `child-${step.name}`,
        password: 'secret',
        balance: step.units,
      })
      if (step.mint) told.granted += BigInt(created.balance)
      const { id, username } = created
      world.accounts.push({ id, username, role: 'user', agentId: agent.id, level: agent.level })
      return undefined
    }
    case 'adjust user': {
      const { chosen, agent } = user(step.which)
      const other = agent.id === world.mint.id ? world.transfer : world.mint
      const actor = step.stranger === 0 ? other : agent
      const change = { amount: step.units, remark: 'test', requestKey: appOrderNo }
      const done = await core.accounts.adjustSubUserBalance(actor, chosen.id, change)
      if (actor.id === world.mint.id && !done.replayed) told.granted += BigInt(done.amount)
      return done.transactionNo
    }
    case 'delete user': {
      const { chosen, agent } = user(step.which)
      await core.accounts.deleteSubUser(agent, chosen.id)
      return undefined
    }
    case 'clear deleted': {
      const left = await core.operator.clearDeleted(SHELL, {
        username: world.mint.username,
        reason: 'test',
      })
      for (const { balance } of left) told.granted -= BigInt(balance)
      return undefined
    }
    case 'set status': {
      const { chosen, agent } = user(step.which)
      const status = step.active ? 'active' : 'disabled'
      await core.accounts.setSubUserStatus(agent, chosen.id, { status })
      return undefined
    }
    case 'operator': {
      const { username } = account(step.which)
      const change = { username, amount: step.units, paid: step.paid, remark: 'test' }
      // Not in one expression: += would read before it waits.
      const { amount } = await core.operator.adjustBalance(SHELL, change)
      told.granted += BigInt(amount)
      return undefined
    }
    case 'order': {
      const { user, actor } = buyer(step.which, step.byAgent)
      const { orderNo } = await world.order(actor, {
        poolId: step.own ? 'own' : 'flaky',
        userId: user.id,
        ipCount: step.count,
        duration: step.days,
        unit: 1,
        totalAmount: step.ceiling,
        promoCode: step.promo,
        appOrderNo,
      })
      told.orders.add(orderNo)
      return orderNo
    }
    case 'work':
      await settled([work(world), work(world)])
      return undefined
    case 'renew': {
      const { orderNo, actor, first } = await order(step.which, step.byAgent)
      const { renewOrderNo } = await core.orders.renewStatic(actor, {
        order: { orderNo },
        instances: step.some && first ? [{ instanceNo: first }] : undefined,
        duration: step.days,
        totalAmount: step.ceiling,
        appOrderNo,
      })
      told.renewals.add(renewOrderNo)
      return renewOrderNo
    }
    case 'cancel': {
      const { orderNo, actor, last } = await order(step.which, step.byAgent)
      const instances = step.some && last ? [last] : undefined
      await core.orders.cancelStatic(actor, { orderNo, instances })
      return undefined
    }
    case 'auto-renew': {
      const { orderNo, actor } = await order(step.which, step.byAgent)
      await core.orders.setAutoRenew(actor, { orderNo, autoRenew: step.on })
      return undefined
    }
    case 'sweep':
      await core.jobs.sweepStaticOrders()
      return undefined
    case 'price':
      await core.operator.setPrice(SHELL, { productNo: step.own ? 'own' : 'flaky', price: step.cents / 100 })
      return undefined
    case 'buy traffic': {
      const { user, actor } = buyer(step.which, step.byAgent)
      const trafficAmount = step.megabytes / 1000
      const { order } = await world.buyTraffic(actor, {
        userId: user.id,
        trafficAmount,
        promoCode: step.promo,
        appOrderNo,
      })
      told.orders.add(order.orderNo)
      return order.orderNo
    }
    case 'use traffic': {
      const credentials = [...(await db.read.subAccount.findMany()), ...(await db.read.traffic.findMany())]
      await core.traffic.recordUsage({
        reportId: `report-${step.report}`,
        account: pick(credentials, step.which)?.username ?? 'nobody',
        bytes: step.bytes,
      })
      return undefined
    }
    case 'create sub-account': {
      const { user, actor } = buyer(step.which, step.byAgent)
      const amount = step.megabytes / 1000
      await core.traffic.createSubAccount(actor, { productNo: 'traffic', userId: user.id, amount })
      return undefined
    }
    case 'move traffic':
    case 'delete sub-account': {
      const found = pick(await db.read.subAccount.findMany({ include: { traffic: true } }), step.which)
      const actor = accounts.find(({ id }) => id === found?.traffic.userId) ?? world.transfer
      const id = found?.id ?? 1
      if (step.do === 'delete sub-account') await core.traffic.deleteSubAccount(actor, id)
      else await core.traffic.adjustSubAccountTraffic(actor, id, { amount: step.megabytes / 1000 })
      return undefined
    }
    case 'refund': {
      const traffic = pick(await db.read.dynamicOrder.findMany({ orderBy: { id: 'desc' } }), step.which)
      const orderNo = step.traffic ? (traffic?.orderNo ?? '-') : (await order(step.which, false)).orderNo
      const amount = step.micros === null ? null : step.micros / 1e6
      await core.operator.orders.refund(SHELL, { orderNo, amount, release: step.release, reason: 'test' })
      return undefined
    }
    case 'replace': {
      const { actor, first = '-' } = await order(step.which, false)
      await core.orders.replaceInstance(actor, { instanceNo: first, reason: 'test', refund: true })
      return undefined
    }
    case 'end': {
      const { orderNo, last } = await order(step.which, false)
      const instances = step.some && last ? [last] : undefined
      await core.operator.orders.end(SHELL, { orderNo, instances, reason: 'test' })
      return undefined
    }
    case 'move customer': {
      const { username } = user(step.which).chosen
      const to = step.to === null ? null : world[step.to].username
      await core.operator.customers.move(SHELL, { username, agent: to, reason: 'test' })
      return undefined
    }
    case 'ask for money':
      await core.accounts.askForMoney(user(step.which).chosen, step.micros)
      return undefined
    case 'answer': {
      const request = pick(await db.read.moneyRequest.findMany({ orderBy: { id: 'desc' } }), step.which)
      const agent = request?.agentId === world.mint.id ? world.mint : world.transfer
      if (!step.gives) await core.accounts.declineAskedMoney(agent, request?.id)
      else {
        const { changed, amount } = await core.accounts.giveAskedMoney(agent, request?.id)
        if (changed && agent === world.mint) told.granted += BigInt(amount)
      }
      return undefined
    }
    case 'mature':
      await core.jobs.matureEarnings()
      return undefined
    case 'move earnings':
      await core.earnings.toBalance(agents(step.which), { amount: step.micros / 1e6 })
      return undefined
    case 'payout':
      await core.earnings.requestPayout(agents(step.which), { amount: step.micros / 1e6, address: ADDRESS })
      return undefined
    case 'end payout': {
      const payout = pick(await db.read.payout.findMany({ orderBy: { id: 'desc' } }), step.which)
      const { payoutNo = '-', agentId } = payout ?? {}
      if (step.how === 'cancel')
        await core.earnings.cancelPayout(agentId === world.mint.id ? world.mint : world.transfer, payoutNo)
      else if (step.how === 'refuse') await core.operator.payouts.refuse(SHELL, { payoutNo, reason: 'test' })
      else {
        const txid = String((told.txids += 1)).padStart(64, '0')
        await core.operator.payouts.paid(SHELL, { payoutNo, txid })
      }
      return undefined
    }
  }
}

/** Money is neither made nor lost: what the audit says, and the same once more without its queries. */
async function prove(world: World): Promise<void> {
  const { db, audited, told, transfer } = world
  await audited()
  await proveEarnings(world, ({ agentId, unitPrice }) =>
    withoutMarkup(unitPrice, MARKUPS[agentId === transfer.id ? 0 : 1]),
  )
  const accounts = await db.read.account.findMany()
  const entries = await db.read.ledgerEntry.findMany()
  const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
  const booked = (...types: string[]) =>
    sum(entries.filter(({ type }) => types.includes(type)).map(({ amount }) => amount))

  for (const { id, balance } of accounts) {
    expect(balance).toBeGreaterThanOrEqual(0n)
    expect(balance).toBe(sum(entries.filter(({ accountId }) => accountId === id).map(({ amount }) => amount)))
  }
  const granted = booked('recharge', 'adjust')
  const [spent, refunded] = [-booked('consumption'), booked('refund')]
  expect(sum(accounts.map(({ balance }) => balance))).toBe(granted + refunded - spent)
  expect(booked('transfer_in', 'transfer_out')).toBe(0n)
  const fromEarnings = entries.filter(({ source }) => source.startsWith('earnings:'))
  if (!world.killed) expect(granted).toBe(told.granted + sum(fromEarnings.map(({ amount }) => amount)))

  const orders = await db.read.staticOrder.findMany()
  const traffic = await db.read.dynamicOrder.findMany()
  const renewals = await db.read.renewal.findMany()
  const paid = [...orders, ...traffic].map(({ totalAmount }) => totalAmount)
  expect(spent).toBe(sum([...paid, ...renewals.map(({ amount }) => amount)]))
  const ofTraffic = await db.read.refund.findMany({ where: { dynamicOrderId: { not: null } } })
  const returned = [
    ...orders.map(({ refundedAmount }) => refundedAmount),
    ...ofTraffic.map(({ amount }) => amount),
  ]
  expect(refunded).toBe(sum(returned))
  const ordered = new Set([...orders, ...traffic].map(({ orderNo }) => orderNo))
  const asked = renewals.filter(({ automatic }) => !automatic).map(({ renewOrderNo }) => renewOrderNo)
  const renewed = new Set(asked)
  // What somebody was told of is there; and nothing else, where every answer came.
  expect([...ordered]).toEqual(expect.arrayContaining([...told.orders]))
  expect([...renewed]).toEqual(expect.arrayContaining([...told.renewals]))
  if (!world.killed) expect([ordered, renewed]).toEqual([told.orders, told.renewals])
}

/** Waits for all, then throws what one has thrown. */
async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(promises)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** Both copies of a request with a number of its application were answered with the same order, if they were answered. */
function expectSame(results: readonly PromiseSettledResult<string | undefined>[]): void {
  const numbers = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  expect(new Set(numbers).size).toBeLessThanOrEqual(1)
}

/** Rounds of everything that moves money, after each of which the books are proved. */
export const allMoney = fc.asyncProperty(
  fc.array(round, { minLength: 3, maxLength: 8, size: 'max' }),
  async (rounds) => {
    const world = await openWorld()
    for (const { steps, hours, kill } of rounds) {
      if (kill) world.process.killAfter(kill.after, kill.keeps)
      const results = await Promise.all(
        steps.map(async ({ action, twice }) => {
          const copies = Array.from({ length: twice ? 2 : 1 }, () => carryOut(world, action))
          const settled = await Promise.allSettled(copies)
          if ('number' in action && action.number !== null) expectSame(settled)
          return settled
        }),
      )
      if (world.process.revive()) {
        world.killed = true
        world.core = world.restarted()
        await world.core.jobs.queue.takeOver()
      }
      // A refusal is fine, and so is a kill; anything else that is thrown is a bug, and tally throws it.
      tally(results.flat().filter((result) => result.status === 'fulfilled' || !wasKilled(result.reason)))
      await prove(world)
      world.clock.advance(hours * HOUR)
    }
    // In the end every order is completed, and everything has expired. The clock may be far behind some jobs.
    world.clock.advance(400 * 24 * HOUR)
    for (let turn = 0; turn < 20 && (await world.core.jobs.queue.nextDue()); turn += 1) {
      await work(world)
      world.clock.advance(HOUR)
    }
    expect(await world.db.read.staticOrder.count({ where: { status: 'processing' } })).toBe(0)
    world.clock.advance(400 * 24 * HOUR)
    await world.core.jobs.sweepStaticOrders()
    await world.core.jobs.matureEarnings()
    expect(await world.db.read.earning.count({ where: { state: 'pending' } })).toBe(0)
    await prove(world)
  },
)
