import fc from 'fast-check'
import { expect } from 'vitest'
import type { Actor } from '../../../src/core/access/actor.ts'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService, tally } from '../../support/service.ts'
import { kind } from '../../support/weighted-step.ts'

const HOUR = 3_600_000
const GIGABYTE = 1_000_000_000n
const DAYS = 2
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const PRODUCTS = ['static', 'traffic'] as const

/** Of what there is when the step is made. */
const which = fc.nat(11)
const product = fc.constantFrom(...PRODUCTS)
const cents = fc.integer({ min: 1, max: 3_000 })
const micros = fc.integer({ min: 1, max: 20_000_000 })
const percent = fc.constantFrom(1, 5, 13, 33, 50, 100)

const action = fc.oneof(
  kind(3, 'markup', { which, percent: fc.constantFrom(0, 12.34, 100, 900, 1900), scope: fc.nat(3), product }),
  kind(2, 'fixed price', { which, cents, from: fc.constantFrom(1, 3), product, ofUser: fc.boolean() }),
  kind(2, 'price', { which, cents, product, whom: fc.constantFrom('everybody', 'agent', 'user') }),
  kind(1, 'limit', { limit: fc.constantFrom(1.5, 10, 101), step: fc.constantFrom(0.000001, 0.01, 1) }),
  kind(4, 'code', {
    which,
    ofShop: fc.boolean(),
    percent: fc.option(percent),
    cents,
    only: fc.option(product),
    ofBalance: fc.option(micros),
  }),
  kind(14, 'buy', {
    which,
    product,
    count: fc.integer({ min: 1, max: 4 }),
    code: fc.option(which, { freq: 4 }),
  }),
  kind(5, 'work', {}),
  kind(3, 'renew', { which }),
  kind(3, 'cancel', { which, some: fc.boolean() }),
  kind(2, 'refund', { which, micros: fc.option(micros), traffic: fc.boolean() }),
  kind(2, 'replace', { which }),
  kind(2, 'mature', {}),
  kind(2, 'move earnings', { which, micros }),
  kind(2, 'payout', { which, micros }),
  kind(2, 'end payout', { which, how: fc.constantFrom('cancel', 'paid', 'refuse') }),
  kind(2, 'pay in', { which, micros }),
  kind(2, 'give', { which, micros: fc.integer({ min: -20_000_000, max: 20_000_000 }) }),
  kind(2, 'wait', { hours: fc.constantFrom(1, 11, 24) }),
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** A purchase as the shop's own price list and codes have it, whatever was booked. */
interface Sale {
  readonly orderNo: string
  /** By the customer, and by its agent's balance. */
  readonly paid: bigint
  /** What the shop gets at least. */
  readonly shops: bigint
}

/** Two agents, one of which makes the money of its sub-users, and two customers of each; what is bought is billed by the day. */
async function openWorld() {
  const service = await openService({ payouts: { min: 1, rate: 1_000_000, isAddress: () => true } })
  const { core, db } = service
  const agents = [
    await service.agent({ balance: 500 }),
    await service.agent({ balance: 500, funding: 'mint' }),
  ]
  const customers: Actor[] = []
  for (const agent of [...agents, ...agents]) customers.push(await service.customer(agent, { balance: 2000 }))
  const day = { periodUnit: 1, periodLength: 1, refundHours: 23 } as const
  await service.product('static', { ...day, price: 2.5 })
  await service.stock('static', 60)
  await core.operator.editProduct(SHELL, 'static', { replacePolicy: 'auto', replaceLimit: 9 })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 0.750001 })
  for (const agent of agents) {
    await core.promotions.create(agent, { percent: 100, balanceLimit: 60 })
    await core.promotions.create(agent, { percent: 33, balanceLimit: 20.000001 })
  }
  const ids = new Map((await db.read.product.findMany()).map(({ id, productNo }) => [id, productNo]))
  return {
    ...service,
    agents,
    customers,
    ids,
    /** The operator's prices, by product and whom they are for. */
    prices: new Map<string, bigint>([
      ['static everybody', 2_500_000n],
      ['traffic everybody', 750_001n],
    ]),
    /** Micros from outside. */
    cameIn: 9_000_000_000n,
    sales: [] as Sale[],
    seen: new Set<string>(),
    txids: 0,
  }
}
type World = Awaited<ReturnType<typeof openWorld>>

function pick<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item
}

async function carryOut(world: World, step: Action): Promise<void> {
  const { core, db, agents, customers, prices } = world
  const [agent, user] =
    'which' in step ? [pick(agents, step.which), pick(customers, step.which)] : [null, null]
  const orderAt = async (index: number) => {
    const orders = await db.read.staticOrder.findMany({ orderBy: { id: 'desc' } })
    const found = orders.length === 0 ? undefined : pick(orders, index)
    const instances = await db.read.instance.findMany({ where: { orderId: found?.id ?? 0 } })
    const owner = customers.find(({ id }) => id === found?.userId)
    return { orderNo: found?.orderNo ?? '-', instanceNo: instances.at(-1)?.instanceNo ?? '-', owner }
  }
  switch (step.do) {
    case 'markup': {
      const scopes = [{}, { productNo: step.product }, { userId: user?.id }]
      const scope = scopes[step.scope] ?? { productNo: step.product, userId: user?.id }
      await core.earnings.setPrice(agent as Actor, { ...scope, markupPercent: step.percent })
      return
    }
    case 'fixed price':
      await core.earnings.setPrice(agent as Actor, {
        productNo: step.product,
        userId: step.ofUser ? user?.id : null,
        minQuantity: step.from,
        price: step.cents / 100,
      })
      return
    case 'price': {
      const whom = step.whom === 'everybody' ? undefined : (step.whom === 'agent' ? agent : user)?.username
      await core.operator.setPrice(SHELL, {
        productNo: step.product,
        price: step.cents / 100,
        username: whom,
      })
      prices.set(`${step.product} ${whom ?? 'everybody'}`, BigInt(step.cents) * 10_000n)
      return
    }
    case 'limit':
      await core.operator.setAgentPriceTerms(SHELL, step)
      return
    case 'code': {
      const discount = step.percent === null ? { amount: step.cents / 100 } : { percent: step.percent }
      const code = { ...discount, products: step.only === null ? [] : [step.only] }
      if (step.ofShop) await core.operator.promotions.add(SHELL, code)
      else
        await core.promotions.create(agent as Actor, {
          ...code,
          balanceLimit: step.ofBalance === null ? null : step.ofBalance / 1e6,
        })
      return
    }
    case 'buy': {
      const codes = await db.read.promoCode.findMany({
        where: { OR: [{ agentId: null }, { agentId: user?.agentId ?? 0 }] },
      })
      const promoCode = step.code === null || codes.length === 0 ? undefined : pick(codes, step.code).code
      if (step.product === 'traffic')
        await world.buyTraffic(user as Actor, { trafficAmount: step.count / 2, promoCode })
      else await world.order(user as Actor, { ipCount: step.count, duration: DAYS, unit: 1, promoCode })
      return
    }
    case 'work':
      await world.runJobs()
      return
    case 'renew': {
      const { orderNo, owner } = await orderAt(step.which)
      await core.orders.renewStatic(owner ?? (user as Actor), { order: { orderNo }, duration: DAYS })
      return
    }
    case 'cancel': {
      const { orderNo, instanceNo, owner } = await orderAt(step.which)
      const instances = step.some ? [instanceNo] : undefined
      await core.orders.cancelStatic(owner ?? (user as Actor), { orderNo, instances })
      return
    }
    case 'refund': {
      const traffic = await db.read.dynamicOrder.findMany({ orderBy: { id: 'desc' } })
      const ofTraffic = traffic.length === 0 ? '-' : pick(traffic, step.which).orderNo
      const orderNo = step.traffic ? ofTraffic : (await orderAt(step.which)).orderNo
      const amount = step.micros === null ? null : step.micros / 1e6
      await core.operator.orders.refund(SHELL, { orderNo, amount, reason: 'test' })
      return
    }
    case 'replace': {
      const { instanceNo, owner } = await orderAt(step.which)
      const wish = { instanceNo, reason: 'does not connect', refund: true }
      await core.orders.replaceInstance(owner ?? (user as Actor), wish)
      return
    }
    case 'mature':
      await core.jobs.matureEarnings()
      return
    case 'move earnings':
      await core.earnings.toBalance(agent as Actor, { amount: step.micros / 1e6 })
      return
    case 'payout':
      await core.earnings.requestPayout(agent as Actor, { amount: step.micros / 1e6, address: ADDRESS })
      return
    case 'end payout': {
      const payouts = await db.read.payout.findMany()
      if (payouts.length === 0) return
      const { payoutNo, agentId } = pick(payouts, step.which)
      const whose = agents.find(({ id }) => id === agentId) as Actor
      if (step.how === 'cancel') await core.earnings.cancelPayout(whose, payoutNo)
      else if (step.how === 'refuse') await core.operator.payouts.refuse(SHELL, { payoutNo, reason: 'test' })
      else {
        const txid = String((world.txids += 1)).padStart(64, '0')
        await core.operator.payouts.paid(SHELL, { payoutNo, txid })
      }
      return
    }
    case 'pay in': {
      const change = { username: (user as Actor).username, amount: step.micros / 1e6, remark: 'cash' }
      await core.operator.adjustBalance(SHELL, change)
      world.cameIn += BigInt(step.micros)
      return
    }
    case 'give': {
      const giver = agents.find(({ id }) => id === user?.agentId) as Actor
      const change = { amount: step.micros / 1e6, remark: 'test' }
      await core.accounts.adjustSubUserBalance(giver, (user as Actor).id, change)
      if (giver.id === agents[1]?.id) world.cameIn += BigInt(step.micros)
      return
    }
    case 'wait':
      world.clock.advance(step.hours * HOUR)
  }
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)
const least = (...values: bigint[]) => values.reduce((a, b) => (b < a ? b : a))

/** Adds what was bought by the last step, with what the shop gets of it by its own prices and codes. */
async function noteSales(world: World): Promise<void> {
  const { db, agents, customers, prices, ids, seen } = world
  const charges = await db.read.ledgerEntry.findMany({ where: { type: 'consumption' } })
  for (const { source, amount, accountId, orderNo } of charges) {
    if (seen.has(source) || orderNo === null) continue
    seen.add(source)
    const buyer = customers.find(({ id }) => id === accountId) as Actor
    const agent = agents.find(({ id }) => id === buyer.agentId) as Actor
    const order = await db.read.staticOrder.findUnique({ where: { orderNo } })
    const traffic = await db.read.dynamicOrder.findUnique({ where: { orderNo } })
    const productId = order?.productId ?? traffic?.productId ?? 0
    const productNo = ids.get(productId) ?? ''
    const priced = await db.read.agentPrice.findMany({
      where: {
        AND: [{ OR: [{ userId: null }, { userId: buyer.id }] }, { OR: [{ productId: null }, { productId }] }],
        agentId: agent.id,
      },
    })
    const at = (whom: string) => prices.get(`${productNo} ${whom}`)
    const everybodys = at('everybody') ?? 0n
    const renewal = await db.read.renewal.findUnique({
      where: { renewOrderNo: source.slice('renewal:'.length) },
      include: { instances: true },
    })
    const renewed = renewal?.instances ?? []
    const units = renewal
      ? sum(renewed.map(({ periods }) => BigInt(periods)))
      : BigInt((order?.ipCount ?? 0) * (order?.periods ?? 0))
    const reached = priced.some(({ minQuantity }) => minQuantity <= quantityOf(renewed, order, traffic))
    const unitPrice = at(buyer.username) ?? (reached ? at(agent.username) : undefined) ?? everybodys
    const list = traffic ? (traffic.trafficBytes * unitPrice + GIGABYTE - 1n) / GIGABYTE : unitPrice * units
    const name = renewal ? null : (order ?? traffic)?.promoCode
    const code = name ? await db.read.promoCode.findUnique({ where: { code: name } }) : null
    const given =
      code && code.agentId === null ? (code.amount ?? (list * BigInt(code.percent ?? 0)) / 100n) : 0n
    const ofAgent = await db.read.ledgerEntry.findUnique({ where: { source: `promo:${orderNo}` } })
    const byAgent = renewal ? 0n : -(ofAgent?.amount ?? 0n)
    world.sales.push({ orderNo, paid: byAgent - amount, shops: list - least(given, list) })
  }
}

/** By which the price is chosen. */
function quantityOf(
  renewed: readonly unknown[],
  order: { readonly ipCount: number } | null,
  traffic: { readonly trafficBytes: bigint } | null,
): number {
  if (traffic) return Math.max(1, Number(traffic.trafficBytes / GIGABYTE))
  return renewed.length > 0 ? renewed.length : (order?.ipCount ?? 1)
}

/**
 * What agents and customers have together, and were paid out, is at most what came in, less what the shop gets of what they have bought,
 * plus its part of what was refunded.
 */
async function prove(world: World): Promise<void> {
  const { db, sales, cameIn } = world
  const accounts = await db.read.account.findMany()
  const payouts = await db.read.payout.findMany({ where: { status: { in: ['requested', 'paid'] } } })
  const held =
    sum(accounts.map((one) => one.balance + one.earningPending + one.earningAvailable - one.earningOwed)) +
    sum(payouts.map(({ amount }) => amount))
  const refunds = await db.read.ledgerEntry.findMany({
    where: { OR: [{ type: 'refund' }, { type: 'promotion', amount: { gt: 0 } }] },
  })
  const refunded = [...new Set(refunds.map(({ orderNo }) => orderNo))].map((orderNo) => {
    let rest = sum(refunds.filter((one) => one.orderNo === orderNo).map(({ amount }) => amount))
    // Of which of several payments a refund gives back is not looked at: at most of those of which the shop got most.
    const payments = sales
      .filter((one) => one.orderNo === orderNo && one.paid > 0n)
      .toSorted((a, b) => (b.shops * a.paid > a.shops * b.paid ? 1 : -1))
    return sum(
      payments.map(({ paid, shops }) => {
        const share = least(rest, paid)
        rest -= share
        return (share * shops + paid - 1n) / paid
      }),
    )
  })
  expect(held).toBeLessThanOrEqual(cameIn - sum(sales.map(({ shops }) => shops)) + sum(refunded))
}

/** Everything that is done with promotion codes, after each step of which the money is counted. */
export const anyOrder = fc.asyncProperty(
  fc.array(action, { minLength: 40, maxLength: 70, size: 'max' }),
  async (steps) => {
    const world = await openWorld()
    for (const step of steps) {
      // A refusal is fine; anything else that is thrown is a bug, and tally throws it.
      tally(await Promise.allSettled([carryOut(world, step)]))
      await noteSales(world)
      await prove(world)
    }
    await world.audited()
  },
)
