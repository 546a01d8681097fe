import { priceAt, type PriceTiers } from '../catalog/tiers.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { parsed, rowsAsJson } from '../database/dialect.ts'
import type { Micros } from '../money.ts'
import { agentsPartOf } from '../promotions/discount.ts'
import type { InstanceInLife, OrderInLife } from './find-static-order.ts'
import type { InstanceStatus } from './static-order.ts'

const HOUR_MS = 60 * 60_000

/** Returns the end of the refund window of an order, which begins with the order (rules 3.7). */
export function refundUntil({ createdAt, refundHours }: OrderInLife): Date {
  return new Date(new Date(createdAt).getTime() + refundHours * HOUR_MS)
}

/** Total that has come back of the price of a proxy, earlier refunds included. */
interface Share {
  readonly id: number
  /** Part that went to the customer. */
  readonly refunded: Micros
  /** Part that went to the agent whose balance paid a part of the price (rules 13.16). */
  readonly returned: Micros
}

/** The refund for the release of some proxies. */
export interface Refund {
  /** Amount for the customer. */
  readonly amount: Micros
  /** Amount for the agent whose balance paid a part of the discount. */
  readonly toAgent: Micros
  /** Part of what was paid for these proxies that is not refunded, because fewer proxies have a higher price each. */
  readonly keptBack: Micros
  /** Proxies of the order that are not released. */
  readonly staying: number
  /** Total refund of each released proxy; it may also grow for proxies of earlier releases, by what was kept back then. */
  readonly shares: readonly Share[]
}

/**
 * Calculates the refund when proxies are released now (rules 5.10, 13.16). Inside the refund window it is what was paid for the order and
 * its renewals, less earlier refunds of what is released, less what the remaining proxies cost at the price for their number, but not below the price
 * that was paid. So releasing all in steps refunds the same as all at once, and nobody keeps a few proxies at the price for many.
 * Proxies that were never delivered count as remaining, because it is not the customer's doing that they are missing.
 *
 * @param releasing active proxies of the order
 */
export async function refundFor(
  db: Readable,
  now: Date,
  order: OrderInLife,
  releasing: readonly InstanceInLife[],
): Promise<Refund> {
  const { income, costs, proxies, staying, paidFor, releasedIf } = await priceOf(db, order, releasing)
  const inWindow = now <= refundUntil(order)
  const amount = inWindow ? Math.max(0, income - costs) : 0

  let [left, toAgent] = [amount, 0]
  const shares = proxies.filter(releasedIf).map((proxy) => {
    const unrefunded = paidFor(proxy) - proxy.refunded
    const share = Math.min(left, unrefunded)
    const own = agentsPartOf(proxy, share, unrefunded)
    left -= share
    toAgent += own
    const returned = proxy.agentReturned + own
    return { id: proxy.id, refunded: proxy.refunded + share - returned, returned }
  })
  const ids = new Set(releasing.map(({ id }) => id))
  const byAgent = sum(proxies.filter(({ id }) => ids.has(id)).map(({ agentPaid }) => agentPaid))
  const toCustomer = amount - toAgent
  const keptBack = inWindow ? Math.max(0, sum(releasing.map(paidFor)) - byAgent - toCustomer) : 0
  return { amount: toCustomer, toAgent, keptBack, staying: staying.size, shares }
}

/**
 * Returns what a release of a proxy would keep back of its price that was not refunded yet, because the proxies that stay cost more
 * (rules 5.10); the refund window is ignored.
 */
export async function surchargeBy(db: Readable, order: Bought, id: number): Promise<Micros> {
  const { income, costs, proxies, paidFor } = await priceOf(db, order, [{ id }])
  const refunded = proxies.find((proxy) => proxy.id === id)?.refunded ?? 0
  return Math.max(0, paidFor({ id }) - refunded - (income - costs))
}

/** The fields of an order that tell what its proxies cost. */
type Bought = Pick<OrderInLife, 'id' | 'unitPrice' | 'periods'>

/** Returns what was paid for the proxies of an order and has not come back, and what the proxies cost that stay after a release. */
async function priceOf(db: Readable, order: Bought, releasing: readonly { readonly id: number }[]) {
  const { purchases, proxies } = await purchasesOf(db, order)
  const releasingIds = new Set(releasing.map(({ id }) => id))
  const releasedIf = ({ id, status }: Proxy) => status === 'released' || releasingIds.has(id)
  const staying = new Set(proxies.filter((proxy) => !releasedIf(proxy)).map(({ id }) => id))
  const paid = paidByProxy(purchases)
  const paidFor = ({ id }: { readonly id: number }) => paid.get(id) ?? 0

  // What the operator gave back for a proxy that stays is no part of its price.
  const income = sum(proxies.map((proxy) => paidFor(proxy) - (staying.has(proxy.id) ? 0 : proxy.refunded)))
  const costs = sum(purchases.map((purchase) => costOf(purchase, staying)))
  return { income, costs, proxies, staying, paidFor, releasedIf }
}

/**
 * Returns for each proxy of an order, the oldest first, what the customer paid for it, renewals included, and what was given back; beside
 * it what the balance of an agent paid and got back.
 */
export async function paidAndRefunded(
  db: Readable,
  order: OrderInLife,
): Promise<(Pick<Proxy, 'id' | 'refunded' | 'agentPaid' | 'agentReturned'> & { readonly paid: Micros })[]> {
  const { purchases, proxies } = await purchasesOf(db, order)
  const paid = paidByProxy(purchases)
  return proxies.map(({ id, refunded, agentPaid, agentReturned }) => ({
    id,
    paid: (paid.get(id) ?? 0) - agentPaid,
    refunded: refunded - agentReturned,
    agentPaid,
    agentReturned,
  }))
}

/** One payment: for the order itself, or for a renewal. */
interface Purchase {
  readonly unitPrice: Micros
  /** The prices at that time, up to the number bought; empty for purchases made before tiers were stored. */
  readonly tiers: PriceTiers
  /** Proxies that were bought and not delivered, or not renewed by the supplier. */
  readonly missing: number
  readonly items: readonly Item[]
}

/** One proxy of a payment. */
interface Item {
  readonly id: number
  readonly periods: number
  /** Its share of the discount that nobody paid; a proxy that stays keeps its share. */
  readonly discount: Micros
}

/** A proxy of an order. Amounts count the customer and the agent whose balance paid a part of the price together. */
interface Proxy {
  readonly id: number
  readonly status: InstanceStatus
  /** Refunded so far. */
  readonly refunded: Micros
  readonly discount: Micros
  /** What the agent's balance paid of the price, and got back. */
  readonly agentPaid: Micros
  readonly agentReturned: Micros
}

async function purchasesOf(
  db: Readable,
  order: Bought,
): Promise<{ purchases: readonly Purchase[]; proxies: readonly Proxy[] }> {
  const [row] = await readBought(db, { id: order.id })
  if (!row) throw new Error('there is no such order')
  const { ordered, tiers, proxies } = row
  const { unitPrice, periods } = order
  const delivered = {
    unitPrice,
    tiers,
    missing: ordered - proxies.length,
    items: proxies.map(({ id, discount }) => ({ id, periods, discount })),
  }
  return { purchases: [delivered, ...renewalsOf(row.renewed)], proxies }
}

interface RenewedProxy {
  readonly renewalId: number
  readonly proxyId: number
  readonly unitPrice: Micros
  readonly periods: number
  /** The supplier did not renew it, and its price was given back. */
  readonly failed: boolean
  /** JSON of the renewal's tiers, so the same for all of its proxies. */
  readonly tiers: string
}

function renewalsOf(renewed: readonly RenewedProxy[]): Purchase[] {
  interface Counted extends Purchase {
    missing: number
    readonly items: Item[]
  }
  const renewals = new Map<number, Counted>()
  for (const { renewalId, proxyId, unitPrice, periods, tiers, failed } of renewed) {
    const known = renewals.get(renewalId)
    const renewal = known ?? { unitPrice, tiers: JSON.parse(tiers) as PriceTiers, missing: 0, items: [] }
    if (failed) renewal.missing += 1
    else renewal.items.push({ id: proxyId, periods, discount: 0 })
    renewals.set(renewalId, renewal)
  }
  return [...renewals.values()]
}

const readBought = compiled<{ id: number }>()((db, { id }) =>
  db
    .selectFrom('staticOrders as o')
    .select('o.ipCount as ordered')
    .select(({ ref, selectFrom }) => [
      parsed<PriceTiers>(ref('o.tiers')).as('tiers'),
      rowsAsJson(
        selectFrom('instances as i')
          .select(['i.id', 'i.status', 'i.agentPaid', 'i.agentReturned'])
          .select(({ eb, ref: column }) => [
            eb('i.refundedAmount', '+', column('i.agentReturned')).as('refunded'),
            eb('i.discount', '-', column('i.agentPaid')).as('discount'),
          ])
          .whereRef('i.orderId', '=', 'o.id'),
        'id',
      ).as('proxies'),
      rowsAsJson(
        selectFrom('renewals as r')
          .innerJoin('renewedInstances as n', 'n.renewalId', 'r.id')
          .select(['n.id', 'n.renewalId', 'n.instanceId as proxyId', 'n.unitPrice', 'n.periods', 'r.tiers'])
          .select('n.failed')
          .whereRef('r.orderId', '=', 'o.id'),
        'id',
        { failed: true },
      ).as('renewed'),
    ])
    .where('o.id', '=', id),
)

/** Returns what the staying proxies of a purchase cost at the price for their number. */
function costOf({ unitPrice, tiers, missing, items }: Purchase, staying: ReadonlySet<number>): Micros {
  const stay = items.filter(({ id }) => staying.has(id))
  const price = Math.max(unitPrice, priceAt(tiers, stay.length + missing) ?? unitPrice)
  return sum(stay.map(({ periods, discount }) => periods * price - discount))
}

function paidByProxy(purchases: readonly Purchase[]): Map<number, Micros> {
  const paid = new Map<number, Micros>()
  for (const { unitPrice, items } of purchases)
    for (const { id, periods, discount } of items)
      paid.set(id, (paid.get(id) ?? 0) + periods * unitPrice - discount)
  return paid
}

function sum(amounts: readonly Micros[]): Micros {
  return amounts.reduce((total, amount) => total + amount, 0)
}
