import { expressionBuilder } from 'kysely'
import { z } from 'zod'
import type { DB } from '../../generated/kysely/tables.ts'
import { calendarDay, dayOf, inOrder } from '../calendar-day.ts'
import type { Queryable } from '../database/queries.ts'
import { OWN_STOCK } from '../catalog/product.ts'
import { NAMES } from '../catalog/product-texts.ts'
import { EARNED_SUMS, EARNING_CHANGES } from '../earnings/earned-sums.ts'
import { parseInput } from '../errors.ts'
import { ofEachLanguage } from '../languages.ts'
import type { Micros } from '../money.ts'
import { type Held, Money, record } from '../record.ts'
import { COST_OF_CALL } from '../supply/cost-of-calls.ts'
import { fieldsByLanguage, textFields, TranslationsRecord } from '../translations.ts'
import type { Essentials } from '../jobs/essentials.ts'

const DAY_MS = 24 * 60 * 60_000
const Period = z
  .object({ from: calendarDay.optional(), to: calendarDay.optional() })
  .refine(({ from, to }) => inOrder({ startDate: from, endDate: to }), {
    path: ['to'],
    error: 'before_the_first_day',
  })

/** Fields shown of what the shop earned by a product, or by all. */
const EARNINGS = {
  /** What the shop got for orders and renewals: what was booked, without the part of agents. */
  revenue: Money,
  /** What the shop gave back of orders and renewals, without what agents gave. */
  refunds: Money,
  /** The part of agents: what they earned, less what refunds took back. */
  agents: Money,
  /** What suppliers charged, less what they gave back, and what the own stock costs for the time that was sold; null where it is not known. */
  cost: Money.nullable(),
  /** The part of the cost that is expected, of calls whose outcome is not known yet. */
  expectedCost: Money,
  /** Number of own-stock proxies, sold or renewed, whose cost is not known; it counts as 0 where the cost of others is known. */
  unknownCost: z.int(),
  /** Revenue less refunds and cost; null where the cost is not known. */
  margin: Money.nullable(),
}
const SHOWN_AS = { unknownCost: 'unknown_cost_proxies' } as const

const productNo = z.string()
const OF_PRODUCT = { supplier: z.string(), ...EARNINGS, names: TranslationsRecord }
export type ProductProfit = Held<{ productNo: typeof productNo } & typeof OF_PRODUCT>
const ProductProfitRecord = record(
  {
    productNo,
    ...fieldsByLanguage(
      'name',
      ofEachLanguage(() => z.string()),
    ),
    ...OF_PRODUCT,
  },
  { names: SHOWN_AS },
).from((product: ProductProfit) => ({ ...product, ...textFields('name', product.names) }))

/** What is shown of revenue, cost and margin of some days. */
export const PROFIT = {
  /** First and last day, UTC. */
  from: z.string(),
  to: z.string(),
  /** Products with revenue, refunds or cost in these days, the greatest revenue first. */
  products: ProductProfitRecord.array(),
  /** Totals of all products; cost and margin are those of the products whose cost is known, null when there are none. */
  total: record(EARNINGS, { names: SHOWN_AS }),
}
export type Profit = Held<typeof PROFIT>

/**
 * Calculates revenue, cost and margin of the shop by product (rules 11.6). Revenue and refunds count on the day of their entry; the cost
 * of an order, renewal, replacement or release on the day of the call to the supplier; that of the own stock on the day on which it was
 * delivered, renewed or released (rules 11.18).
 *
 * @param input days in UTC, both included; by default from the first of this month up to today
 * @throws validation_error
 */
export async function profit(
  { db, clock }: Pick<Essentials, 'db' | 'clock'>,
  input: z.input<typeof Period> = {},
): Promise<Profit> {
  const given = parseInput(Period, input)
  const to = given.to ?? dayOf(clock.now())
  const from = given.from ?? `${to.slice(0, 7)}-01`
  const days = { from: `${from}T00:00:00.000Z`, to: dayAfter(to) }
  const entries = { first: `T${digits(days.from)}`, next: `T${digits(days.to)}` }
  const [booked, costs] = [await bookedByProduct(db.read, entries), await costsByProduct(db.read, days)]
  const stockCosts = await stockCostsByProduct(db.read, days)
  const parts = await partsOfAgents(db.read, days)
  const products = await db.read.$kysely
    .selectFrom('products as p')
    .select(['p.id', 'p.productNo', NAMES, 'p.supplier'])
    .orderBy('p.shelf')
    .orderBy('p.id')
    .execute()
  const lines = products.flatMap((product): ProductProfit[] => {
    const { id, ...named } = product
    const sums = booked.filter(({ productId }) => productId === id)
    const supplied = costs.find(({ productId }) => productId === id)
    const ofStock = stockCosts.find(({ productId }) => productId === id)
    if (sums.length === 0 && !supplied && !ofStock) return []
    const isUnknown =
      product.supplier === OWN_STOCK && !supplied && (ofStock === undefined || ofStock.cost === null)
    const cost = isUnknown ? null : (supplied?.cost ?? 0) + (ofStock?.cost ?? 0)
    const { earned, takenBack } = parts.find(({ productId }) => productId === id) ?? NO_PART
    const revenue = total(sums.map((sum) => sum.revenue)) - earned
    const refunds = total(sums.map((sum) => sum.refunds)) - takenBack
    return [
      {
        ...named,
        revenue,
        refunds,
        agents: earned - takenBack,
        cost,
        expectedCost: supplied?.expectedCost ?? 0,
        unknownCost: ofStock?.unknown ?? 0,
        margin: cost === null ? null : revenue - refunds - cost,
      },
    ]
  })
  return { from, to, products: lines.toSorted((a, b) => b.revenue - a.revenue), total: sumOf(lines) }
}

function sumOf(lines: readonly ProductProfit[]): Profit['total'] {
  const costed = lines.filter(({ cost }) => cost !== null)
  const known = costed.length > 0
  return {
    revenue: total(lines.map(({ revenue }) => revenue)),
    refunds: total(lines.map(({ refunds }) => refunds)),
    agents: total(lines.map(({ agents }) => agents)),
    cost: known ? total(costed.map(({ cost }) => cost ?? 0)) : null,
    expectedCost: total(lines.map(({ expectedCost }) => expectedCost)),
    unknownCost: total(lines.map(({ unknownCost }) => unknownCost)),
    margin: known ? total(costed.map(({ margin }) => margin ?? 0)) : null,
  }
}

function total(amounts: readonly Micros[]): Micros {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString()
}

/** Returns the day of a time as YYYYMMDD, as in the numbers of entries. */
function digits(time: string): string {
  return time.slice(0, 10).replaceAll('-', '')
}

interface Days {
  readonly from: string
  readonly to: string
}

interface Entries {
  readonly first: string
  readonly next: string
}

/**
 * Sums what was booked for the orders of each product, static ones and traffic. Entries are found by their number, which begins with
 * the day. Cross joins make SQLite read the entries first.
 */
async function bookedByProduct({ $kysely }: Queryable, { first, next }: Entries) {
  const booked = $kysely
    .selectFrom('ledgerEntries as e')
    .select(BOOKED)
    .where('e.transactionNo', '>=', first)
    .where('e.transactionNo', '<', next)
  const ofStatic = await booked
    .crossJoin('staticOrders as o')
    .select('o.productId')
    .where('e.orderType', '=', 'static')
    .whereRef('o.orderNo', '=', 'e.orderNo')
    .groupBy('o.productId')
    .orderBy('o.productId')
    .execute()
  const ofDynamic = await booked
    .crossJoin('dynamicOrders as o')
    .select('o.productId')
    .where('e.orderType', '=', 'dynamic')
    .whereRef('o.orderNo', '=', 'e.orderNo')
    .groupBy('o.productId')
    .orderBy('o.productId')
    .execute()
  return [...ofStatic, ...ofDynamic].map(({ productId, consumed, refunds }) => ({
    productId,
    revenue: 0 - (consumed ?? 0),
    refunds: refunds ?? 0,
  }))
}

const { eb, and, fn, or } = expressionBuilder<{ e: DB['ledgerEntries'] }, 'e'>()

/** Sums over entries `e` of orders: what was paid, and given back; of agents' codes also by, and to, the agents' balances. */
const BOOKED = [
  fn
    .sum<number | null>('e.amount')
    .filterWhere(
      or([eb('e.type', '=', 'consumption'), and([eb('e.type', '=', 'promotion'), eb('e.amount', '<', 0)])]),
    )
    .as('consumed'),
  fn
    .sum<number | null>('e.amount')
    .filterWhere(
      or([eb('e.type', '=', 'refund'), and([eb('e.type', '=', 'promotion'), eb('e.amount', '>', 0)])]),
    )
    .as('refunds'),
] as const

const NO_PART = { earned: 0, takenBack: 0 }

/** Sums what agents earned by each product, and what refunds took back of it, by the times of these earning entries. */
function partsOfAgents({ $kysely }: Queryable, { from, to }: Days) {
  return $kysely
    .selectFrom('earningEntries as n')
    .innerJoin('earnings as e', 'e.id', 'n.earningId')
    .select(['e.productId', ...EARNED_SUMS])
    .where('n.createdAt', '>=', from)
    .where('n.createdAt', '<', to)
    .where('n.kind', 'in', EARNING_CHANGES)
    .groupBy('e.productId')
    .execute()
}

/** Sums the costs of the calls that were made in these days, by the index of calls by connection and time. */
function costsByProduct({ $kysely }: Queryable, { from, to }: Days) {
  return $kysely
    .selectFrom('supplierConnections as c')
    .crossJoin('supplierCalls')
    .crossJoin('staticOrders as o')
    .select(({ fn, eb }) => [
      'o.productId',
      fn.sum<number>(COST_OF_CALL).as('cost'),
      fn
        .sum<number | null>(COST_OF_CALL)
        .filterWhere(eb('supplierCalls.nextAt', 'is not', null))
        .as('expectedCost'),
    ])
    .whereRef('supplierCalls.connectionId', '=', 'c.id')
    .where('supplierCalls.createdAt', '>=', from)
    .where('supplierCalls.createdAt', '<', to)
    .whereRef('o.id', '=', 'supplierCalls.orderId')
    .groupBy('o.productId')
    .orderBy('o.productId')
    .execute()
}

/** Sums what the own stock costs that was sold in these days, less what was given back. */
function stockCostsByProduct({ $kysely }: Queryable, { from, to }: Days) {
  return $kysely
    .selectFrom('stockCosts as c')
    .innerJoin('staticOrders as o', 'o.id', 'c.orderId')
    .select(({ fn }) => [
      'o.productId',
      fn.sum<number | null>('c.amount').as('cost'),
      fn.sum<number>('c.unknown').as('unknown'),
    ])
    .where('c.createdAt', '>=', from)
    .where('c.createdAt', '<', to)
    .groupBy('o.productId')
    .orderBy('o.productId')
    .execute()
}
