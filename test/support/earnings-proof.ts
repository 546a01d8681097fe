import { expect } from 'vitest'
import type { Service } from './service.ts'

const GIGABYTE = 1_000_000_000n
const BPS = 10_000n
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

/** What was sold by one payment. */
interface Sale {
  /** Of the entry that charged for it. */
  readonly source: string
  readonly orderNo: string
  readonly productId: number
  readonly unitPrice: bigint
  /** What it costs at a price of one unit, before the discount. */
  readonly at: (unitPrice: bigint) => bigint
  readonly discount: bigint
  readonly promoCode: string | null
}

/** What the agent pays for a unit that its sub-users pay. */
export type AgentsUnitPrice = (sale: { agentId: number; productId: number; unitPrice: bigint }) => bigint

/** The price to which a markup was added: a greater one would give a greater price. */
export function withoutMarkup(unitPrice: bigint, markupPercent: number): bigint {
  return (unitPrice * BPS) / (BPS + BigInt(Math.round(markupPercent * 100)))
}

async function salesIn({ db }: Pick<Service, 'db'>): Promise<Sale[]> {
  const orders = await db.read.staticOrder.findMany()
  const traffic = await db.read.dynamicOrder.findMany()
  const renewals = await db.read.renewal.findMany({ include: { instances: true, order: true } })
  return [
    ...orders.map((order) => ({
      ...order,
      source: `order:${order.orderNo}`,
      at: (unitPrice: bigint) => unitPrice * BigInt(order.ipCount * order.periods),
    })),
    ...traffic.map((order) => ({
      ...order,
      source: `order:${order.orderNo}`,
      at: (unitPrice: bigint) => (order.trafficBytes * unitPrice + GIGABYTE - 1n) / GIGABYTE,
    })),
    ...renewals.map(({ renewOrderNo, instances, order: { orderNo, productId } }) => ({
      source: `renewal:${renewOrderNo}`,
      orderNo,
      productId,
      unitPrice: instances[0]?.unitPrice ?? 0n,
      at: (unitPrice: bigint) => unitPrice * sum(instances.map(({ periods }) => BigInt(periods))),
      discount: 0n,
      promoCode: null,
    })),
  ]
}

/** Proves that no more money can be paid out, or is held as paid, than came in, whatever way it took (rules 13.14, 13.15). */
async function provePaidIn({ db }: Pick<Service, 'db'>) {
  const ledger = await db.read.ledgerEntry.findMany()
  const accounts = await db.read.account.findMany()
  const earnings = await db.read.earning.findMany()
  const payouts = await db.read.payout.findMany({ where: { status: { in: ['requested', 'paid'] } } })
  const paidIn = (wanted: (entry: (typeof ledger)[number]) => boolean) =>
    sum(ledger.filter(wanted).map((entry) => entry.paidIn ?? 0n))
  const cameIn = paidIn(({ source }) => /^(usdt|adjust):/.test(source))
  // Newly created money never counts; what an agent destroys of its sub-users' money may.
  const destroyed = paidIn(({ source, type }) => source.startsWith('transfer:') && type === 'adjust')
  const spent = -paidIn(({ type }) => type === 'consumption' || type === 'refund')
  const moved = paidIn(({ source }) => source.startsWith('earnings:'))
  expect(destroyed).toBeLessThanOrEqual(0n)
  for (const account of accounts) {
    expect(account.paidIn).toBe(paidIn(({ accountId }) => accountId === account.id))
    expect(account.paidIn).toBeGreaterThanOrEqual(0n)
    expect(account.paidIn).toBeLessThanOrEqual(account.balance)
  }
  const held = sum(accounts.map((account) => account.paidIn))
  expect(held).toBe(cameIn + destroyed - spent + moved)
  for (const { orderNo } of earnings) {
    const payable = sum(earnings.filter((one) => one.orderNo === orderNo).map((one) => one.payable))
    expect(payable).toBeLessThanOrEqual(-paidIn((entry) => entry.orderNo === orderNo))
  }
  const payable = sum(accounts.map(({ earningPayable }) => earningPayable))
  const taken = sum(payouts.map(({ amount }) => amount))
  const matured = earnings.filter(({ state }) => state === 'matured')
  expect(payable).toBe(sum(matured.map((one) => one.payable)) - taken - moved)
  expect(taken + held + payable).toBeLessThanOrEqual(cameIn)
}

/**
 * Proves that every payment is the shop's part and the earning of the agent that the buyer had then, that refunds took back of both in
 * proportion, and that each agent has what it earned, less what it has moved and was paid; and {@link provePaidIn}.
 *
 * @returns what the shop got by each payment, by the source of its entry, and what it has left of each order, by number
 */
export async function proveEarnings({ db }: Pick<Service, 'db'>, agentsPrice: AgentsUnitPrice) {
  await provePaidIn({ db })
  const sales = await salesIn({ db })
  const ledger = await db.read.ledgerEntry.findMany()
  const earnings = await db.read.earning.findMany()
  const codes = new Map((await db.read.promoCode.findMany()).map((one) => [one.code, one]))
  const charges = new Map(ledger.filter(({ type }) => type === 'consumption').map((one) => [one.source, one]))
  const earned = new Map(earnings.map((one) => [one.source, one]))
  expect([...charges.keys()].toSorted()).toEqual(sales.map(({ source }) => source).toSorted())

  const got = new Map<string, bigint>()
  for (const { source, productId, unitPrice, at, discount, promoCode } of sales) {
    const charge = charges.get(source)
    const earning = earned.get(source)
    if (!charge) continue
    expect([source, -charge.amount]).toEqual([source, at(unitPrice) - discount])
    // Records of a buyer without an agent are its own.
    const agentId = charge.scopeId === charge.accountId ? null : charge.scopeId
    const above = agentId === null ? 0n : at(unitPrice) - at(agentsPrice({ agentId, productId, unitPrice }))
    const code = promoCode === null ? undefined : codes.get(promoCode)
    const given = code && code.agentId !== null ? discount : 0n
    expect([source, earning?.amount ?? 0n]).toEqual([source, above - given])
    got.set(source, -charge.amount - (earning?.amount ?? 0n))
    if (code) expect([null, agentId]).toContain(code.agentId)
    if (earning) expect(earning).toMatchObject({ agentId, userId: charge.accountId, paid: -charge.amount })
  }

  const left = new Map<string, bigint>()
  for (const { orderNo } of sales) {
    if (left.has(orderNo)) continue
    const of = earnings.filter((one) => one.orderNo === orderNo)
    const entries = ledger.filter((entry) => entry.orderNo === orderNo)
    const booked = (type: string) =>
      sum(entries.filter((entry) => entry.type === type).map(({ amount }) => amount))
    const [paid, back] = [-booked('consumption'), booked('refund')]
    expect(back).toBeLessThanOrEqual(paid)
    for (const { amount, paid: price, refunded, reversed } of of) {
      expect(refunded).toBeLessThanOrEqual(price)
      expect(reversed).toBe((amount * refunded) / price)
      if (back === paid) expect(reversed).toBe(amount)
    }
    // Where all payments for the order earned something, all that came back is a part of theirs.
    if (sum(of.map(({ paid: price }) => price)) === paid)
      expect(sum(of.map(({ refunded }) => refunded))).toBe(back)
    left.set(orderNo, paid - back - sum(of.map(({ amount, reversed }) => amount - reversed)))
  }

  const payouts = await db.read.payout.findMany({ where: { status: { in: ['requested', 'paid'] } } })
  const moves = ledger.filter(({ source }) => source.startsWith('earnings:'))
  for (const account of await db.read.account.findMany({ where: { role: 'agent' } })) {
    const { id, earningPending, earningAvailable, earningOwed } = account
    for (const amount of [earningPending, earningAvailable, earningOwed])
      expect(amount).toBeGreaterThanOrEqual(0n)
    const net = sum(
      earnings.map(({ agentId, amount, reversed }) => (agentId === id ? amount - reversed : 0n)),
    )
    const gone = [
      ...moves.filter(({ accountId }) => accountId === id),
      ...payouts.filter(({ agentId }) => agentId === id),
    ]
    expect(earningPending + earningAvailable - earningOwed).toBe(net - sum(gone.map(({ amount }) => amount)))
  }
  return { got, left }
}
