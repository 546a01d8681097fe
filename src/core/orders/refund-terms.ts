import { priceAt, type PriceTiers } from '../catalog/prices.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { parsed, rowsAsJson } from '../database/dialect.ts'
import type { Micros } from '../money.ts'
import type { InstanceInLife, OrderInLife } from './find-static-order.ts'
import type { InstanceStatus } from './static-order.ts'

const HOUR_MS = 60 * 60_000

/** Until when what was paid for an order's proxies comes back: the window begins with the order (rules 3.7). */
export function refundUntil({ createdAt, refundHours }: OrderInLife): Date {
  return new Date(new Date(createdAt).getTime() + refundHours * HOUR_MS)
}

/** What the release of some proxies gives back. */
export interface Refund {
  readonly amount: Micros
  /** Of what was paid for these proxies, what stays with the shop: fewer proxies have a higher price each. */
  readonly keptBack: Micros
  /** Proxies of the order that are not released. */
  readonly staying: number
  /** What has then been given back of each released proxy's price; those of earlier releases may get some of what was kept back. */
  readonly shares: readonly { readonly id: number; readonly refunded: Micros }[]
}

/**
 * What comes back when proxies are released now (rules 5.10). Inside the refund window that is what was paid for the order and
 * its renewals, less what went back before and what the proxies that stay cost by themselves: at the price of their number, which
 * is never below the price that was paid. So releasing all of them in steps gives back the same as all at once, and no part of an
 * order is had at the price of the whole. What was never delivered counts as staying: the customer is not to blame for it.
 *
 * @param releasing active proxies of the order
 */
export async function refundFor(
  db: Readable,
  now: Date,
  order: OrderInLife,
  releasing: readonly InstanceInLife[],
): Promise<Refund> {
  const { purchases, proxies } = await bought(db, order)
  const gone = new Set(releasing.map(({ id }) => id))
  const releasedIf = ({ id, status }: Proxy) => status === 'released' || gone.has(id)
  const staying = new Set(proxies.filter((proxy) => !releasedIf(proxy)).map(({ id }) => id))
  const paid = paidByProxy(purchases)
  const paidFor = ({ id }: { readonly id: number }) => paid.get(id) ?? 0

  const income = sum(proxies.map((proxy) => paidFor(proxy) - proxy.refunded))
  const costs = sum(purchases.map((purchase) => costOf(purchase, staying)))
  const open = now <= refundUntil(order)
  const amount = open ? Math.max(0, income - costs) : 0

  let left = amount
  const shares = proxies.filter(releasedIf).map(({ id, refunded }) => {
    const share = Math.min(left, paidFor({ id }) - refunded)
    left -= share
    return { id, refunded: refunded + share }
  })
  const keptBack = open ? Math.max(0, sum(releasing.map(paidFor)) - amount) : 0
  return { amount, keptBack, staying: staying.size, shares }
}

/** What was paid for at once: the order itself, or a renewal. */
interface Purchase {
  readonly unitPrice: Micros
  /** The prices of that time, up to the number bought; none where the purchase is older than their keeping. */
  readonly tiers: PriceTiers
  /** Proxies that were bought and not delivered. */
  readonly missing: number
  readonly items: readonly { readonly id: number; readonly periods: number }[]
}

interface Proxy {
  readonly id: number
  readonly status: InstanceStatus
  /** What has come back of its price so far. */
  readonly refunded: Micros
}

async function bought(
  db: Readable,
  order: OrderInLife,
): Promise<{ purchases: readonly Purchase[]; proxies: readonly Proxy[] }> {
  const [row] = await readBought(db, { id: order.id })
  if (!row) throw new Error('there is no such order')
  const { ordered, tiers, proxies } = row
  const { unitPrice, periods } = order
  const delivered = {
    unitPrice,
    tiers,
    missing: ordered - proxies.length,
    items: proxies.map(({ id }) => ({ id, periods })),
  }
  return { purchases: [delivered, ...renewalsOf(row.renewed)], proxies }
}

interface RenewedProxy {
  readonly renewalId: number
  readonly proxyId: number
  readonly unitPrice: Micros
  readonly periods: number
  /** As JSON: of the renewal, and so the same for all of its proxies. */
  readonly tiers: string
}

function renewalsOf(renewed: readonly RenewedProxy[]): Purchase[] {
  const renewals = new Map<number, Purchase & { readonly items: Purchase['items'][number][] }>()
  for (const { renewalId, proxyId, unitPrice, periods, tiers } of renewed) {
    const known = renewals.get(renewalId)
    const renewal = known ?? { unitPrice, tiers: JSON.parse(tiers) as PriceTiers, missing: 0, items: [] }
    renewal.items.push({ id: proxyId, periods })
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
          .select(['i.id', 'i.status', 'i.refundedAmount as refunded'])
          .whereRef('i.orderId', '=', 'o.id'),
        'id',
      ).as('proxies'),
      rowsAsJson(
        selectFrom('renewals as r')
          .innerJoin('renewedInstances as n', 'n.renewalId', 'r.id')
          .select(['n.id', 'n.renewalId', 'n.instanceId as proxyId', 'n.unitPrice', 'n.periods', 'r.tiers'])
          .whereRef('r.orderId', '=', 'o.id'),
        'id',
      ).as('renewed'),
    ])
    .where('o.id', '=', id),
)

/** What those of a purchase that stay cost by themselves. */
function costOf({ unitPrice, tiers, missing, items }: Purchase, staying: ReadonlySet<number>): Micros {
  const stay = items.filter(({ id }) => staying.has(id))
  const price = Math.max(unitPrice, priceAt(tiers, stay.length + missing) ?? unitPrice)
  return sum(stay.map(({ periods }) => periods * price))
}

function paidByProxy(purchases: readonly Purchase[]): Map<number, Micros> {
  const paid = new Map<number, Micros>()
  for (const { unitPrice, items } of purchases)
    for (const { id, periods } of items) paid.set(id, (paid.get(id) ?? 0) + periods * unitPrice)
  return paid
}

function sum(amounts: readonly Micros[]): Micros {
  return amounts.reduce((total, amount) => total + amount, 0)
}
