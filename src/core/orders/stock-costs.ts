import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf, rowsOf } from '../database/dialect.ts'
import { MAX_MICROS, type Micros, shareOf } from '../money.ts'
import { daysIn, type Term } from '../term.ts'

/*
 * What the own stock costs for the time that is sold (rules 11.18): counted when proxies are delivered and renewed, given back when
 * they are released, in the same transaction. `records/profit.ts` sums it.
 */

const DAYS_OF_MONTH = 30

/**
 * Returns what a term of a proxy costs the shop, rounded up.
 *
 * @param monthlyCost cost of 30 days
 * @returns null where the monthly cost is not known
 */
export function costOfTerm(monthlyCost: Micros | null | undefined, term: Term): Micros | null {
  if (monthlyCost === null || monthlyCost === undefined) return null
  return Math.ceil((monthlyCost * daysIn(term)) / DAYS_OF_MONTH)
}

/** Proxies of an order that were sold for a term, each with its cost. */
interface SoldStock {
  readonly orderId: number
  readonly costs: readonly (Micros | null)[]
}

/** Records the costs of what was sold, for all orders in one statement. */
export async function countStockCosts(tx: Tx, now: Date, sold: readonly SoldStock[]): Promise<void> {
  const rows = sold.map(({ orderId, costs }) => {
    const known = costs.filter((cost) => cost !== null)
    const sum = known.reduce((total, cost) => total + cost, 0)
    const amount = known.length === 0 ? null : Math.min(sum, MAX_MICROS)
    return { orderId, amount, unknown: costs.length - known.length }
  })
  if (rows.length > 0) await insertCosts(tx, { rows, now })
}

const ROW = { orderId: 'integer', amount: 'integer', unknown: 'integer' } as const

interface CountedCost {
  readonly orderId: number
  readonly amount: Micros | null
  readonly unknown: number
}

const insertCosts = compiled<{ rows: readonly CountedCost[]; now: Date }>()((db, { rows, now }) =>
  db
    .insertInto('stockCosts')
    .columns(['orderId', 'amount', 'unknown', 'createdAt'])
    .expression(({ selectFrom }) =>
      selectFrom(rowsOf(rows, ROW, 'n')).select(['n.orderId', 'n.amount', 'n.unknown', now.as('createdAt')]),
    ),
)

/** Reads the monthly costs of the own stock's proxies of an order, by the ids of their instances. */
export async function monthlyCosts(tx: Tx, orderId: number): Promise<Map<number, Micros | null>> {
  const costs = new Map((await findMonthlyCosts(tx, { orderId })).map((own) => [own.no, own.monthlyCost]))
  if (costs.size === 0) return new Map()
  const delivered = await findDelivered(tx, { orderId })
  return new Map(delivered.map(({ id, no }) => [id, costs.get(no) ?? null]))
}

const findMonthlyCosts = compiled<{ orderId: number }>()((db, { orderId }) =>
  db
    .selectFrom('stockIps')
    .select(['monthlyCost', ({ cast, ref }) => cast<string>(ref('id'), 'text').as('no')])
    .where('orderId', '=', orderId),
)

const findDelivered = compiled<{ orderId: number }>()((db, { orderId }) =>
  db
    .selectFrom('instances')
    .select(['id', 'providerInstanceNo as no'])
    .where('orderId', '=', orderId)
    .where('releasedAt', 'is', null),
)

/** Gives back the costs of the rest of the term of proxies that end now: by time, rounded down. */
export async function giveBackStockCosts(
  tx: Tx,
  now: Date,
  { orderId, ids }: { readonly orderId: number; readonly ids: readonly number[] },
): Promise<void> {
  const rests = (await findCosts(tx, { ids })).map(({ cost, openedAt, expireTime }) => {
    const [from, to] = [Date.parse(openedAt), Date.parse(expireTime)]
    const left = Math.min(Math.max(to - now.getTime(), 0), to - from)
    return shareOf(cost, left, to - from)
  })
  const amount = rests.reduce((sum, rest) => sum + rest, 0)
  if (amount > 0) await insertCosts(tx, { rows: [{ orderId, amount: -amount, unknown: 0 }], now })
}

const findCosts = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .selectFrom('instances')
    .select(['cost', 'openedAt', 'expireTime'])
    .where('id', 'in', listOf(ids))
    .where('cost', 'is not', null)
    .$narrowType<{ cost: number }>(),
)
