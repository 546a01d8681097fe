import type { Actor } from '../access/actor.ts'
import { type BuyerScopes, scopesOf, buyerPrices, priceRows } from '../catalog/prices.ts'
import { type NextTier, nextOf, priceAt, type PriceTiers, type SoldTiers, upTo } from '../catalog/tiers.ts'
import { billingPeriod, OWN_STOCK } from '../catalog/product.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { rowsAsJson } from '../database/dialect.ts'
import { agentPriceRows } from '../catalog/prices-by-agent.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { type Micros, times } from '../money.ts'
import { coveredTiers } from '../supply/choose-offer.ts'
import { lowestPrice } from '../catalog/offer-conditions.ts'
import { offerOfOrder, type PlaceOffer } from '../catalog/place-offers.ts'
import { endOfTerm, periodsIn, type Term, termOf } from '../term.ts'
import { GRACE_MS } from './expire-instances.ts'
import {
  type InstanceInLife,
  instancesOf,
  namedInstances,
  type OrderInLife,
  stillProcessing,
  wrongState,
} from './find-static-order.ts'
import type { OrderStatus } from './static-order.ts'
import type { RenewalRequest } from './renewal-input.ts'

/** Latest expiry that a renewal may lead to, in years from now. */
const MAX_YEARS_AHEAD = 20
const RENEWABLE: ReadonlySet<OrderStatus> = new Set(['active', 'partial', 'expired'])

export interface WantedRenewal {
  readonly instance: InstanceInLife
  readonly term: Term
}

/**
 * Selects the proxies of a renewal, each with its term: those that it names, or all that can be renewed.
 *
 * @throws instance_not_found, order_processing (the order, or a renewal or replacement of a proxy), invalid_state, validation_error
 *   (proxies of a third party with different terms, or of different orders there)
 */
export async function wantedInstances(
  db: Readable,
  now: Date,
  order: OrderInLife,
  {
    instances: named,
    duration,
    unit,
    cycleTimes,
  }: Pick<RenewalRequest, 'instances' | 'duration' | 'unit' | 'cycleTimes'>,
): Promise<WantedRenewal[]> {
  if (!RENEWABLE.has(order.status)) throw wrongState(order)
  const all = await instancesOf(db, order.id)
  if (named) {
    const found = namedInstances(
      all,
      named.map(({ instanceNo }) => instanceNo),
    )
    const wanted = found.map((instance, index) => {
      if (!canRenew(order, instance, now)) throw wrongState(order, instance)
      if (instance.waiting) throw stillProcessing(order.orderNo)
      const own = named[index]
      return {
        instance,
        term: termOf(own?.duration ?? duration, own?.unit ?? unit, own?.cycleTimes ?? cycleTimes),
      }
    })
    // A supplier prolongs all proxies of a request by the same number of periods.
    if (order.connectionId !== null && new Set(wanted.map(({ term }) => JSON.stringify(term))).size > 1)
      throw InvalidInput.of('instances', 'different_terms')
    if (ofOneSupplierOrder(found).length < found.length)
      throw InvalidInput.of('instances', 'different_orders')
    return wanted
  }
  const term = termOf(duration, unit, cycleTimes)
  const renewable = all.filter((instance) => canRenew(order, instance, now))
  const free = renewable.filter(({ waiting }) => !waiting)
  if (free.length === 0 && renewable.length > 0) throw stillProcessing(order.orderNo)
  return ofOneSupplierOrder(free).map((instance) => ({ instance, term }))
}

/** Returns the proxies that came with the same supplier order as the first one: a supplier renews no others in one request. */
export function ofOneSupplierOrder(instances: readonly InstanceInLife[]): InstanceInLife[] {
  return instances.filter(({ providerOrderNo }) => providerOrderNo === instances[0]?.providerOrderNo)
}

/** Returns whether a proxy can be renewed: it is active or in its grace, and its order is active, partial or expired (rules 5.6, 5.7). */
export function canRenew(
  order: Pick<OrderInLife, 'status'>,
  { status, expireTime, releasedAt }: Pick<InstanceInLife, 'status' | 'expireTime' | 'releasedAt'>,
  now: Date,
): boolean {
  if (!RENEWABLE.has(order.status)) return false
  if (status === 'active') return true
  return (
    status === 'expired' && releasedAt === null && new Date(expireTime).getTime() + GRACE_MS > now.getTime()
  )
}

/** What a renewal costs for one proxy, and what it does to it. */
export interface RenewalItem {
  readonly id: number
  readonly instanceNo: string
  readonly periods: number
  readonly amount: Micros
  readonly oldExpireTime: string
  readonly newExpireTime: string
}

export interface RenewalTerms {
  /** Price per proxy and billing period. */
  readonly unitPrice: Micros
  /** The buyer's prices up to this number of proxies. */
  readonly tiers: PriceTiers
  readonly amount: Micros
  /** The part of the amount that the buyer's agent earns. */
  readonly earning: Micros
  /** The next lower price that a renewal of more proxies would get. */
  readonly nextTier: NextTier | null
  readonly items: readonly RenewalItem[]
}

/** Proxies of one order, and who pays for them. */
export interface PricedRenewal {
  readonly order: OrderInLife
  readonly buyer: Actor
  readonly wanted: readonly WantedRenewal[]
  /** Number of proxies by which the tier is chosen, those of other orders that are renewed together included (rules 5.30). */
  readonly together?: number
}

/**
 * Prices a renewal like a new order of as many IPs by the order's user (rules 5.7), in the place of the order where its proxies are
 * a supplier's. Used by the quote and by the renewal.
 *
 * @throws invalid_state, duration_not_supported, product_not_found (it has no price any more), validation_error
 */
export async function priceRenewal(
  db: Readable,
  now: Date,
  { order, buyer, wanted, together = wanted.length }: PricedRenewal,
): Promise<RenewalTerms> {
  if (wanted.length === 0 || !RENEWABLE.has(order.status)) throw wrongState(order)
  const offer = await renewedOffer(db, now, order, buyer)
  const { tiers, shopTiers } = offer ?? (await pricesOf(db, buyer, order.productId))
  const [price, shopPrice] = [priceAt(tiers, together), priceAt(shopTiers, together)]
  if (price === undefined || shopPrice === undefined) throw new ServiceError('product_not_found')
  if (offer && shopPrice < lowestPrice(offer)) throw wrongState(order)
  const unsupported = () =>
    new ServiceError('duration_not_supported', {
      data: { product_no: order.productNo, duration: order.periodLength, unit: order.periodUnit },
    })
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS_AHEAD)

  const items = wanted.map(({ instance, term }): RenewalItem => {
    const periods = periodsIn(term, billingPeriod(order))
    if (periods === undefined) throw unsupported()
    const from = new Date(Math.max(now.getTime(), new Date(instance.expireTime).getTime()))
    const newExpireTime = endOfTerm(from, term)
    if (newExpireTime > latest) throw unsupported()
    return {
      id: instance.id,
      instanceNo: instance.instanceNo,
      periods,
      amount: times(price, periods) ?? tooLarge(),
      oldExpireTime: instance.expireTime,
      newExpireTime: newExpireTime.toISOString(),
    }
  })
  const periods = items.reduce((sum, item) => sum + item.periods, 0)
  const amount = times(price, periods) ?? tooLarge()
  return {
    unitPrice: price,
    tiers: upTo(tiers, together),
    amount,
    earning: amount - (times(shopPrice, periods) ?? amount),
    nextTier: nextOf(offer ? coveredTiers(offer) : tiers, price, together),
    items,
  }
}

/**
 * Finds the offer at whose price proxies of a supplier are renewed, whatever its stock; null for orders that took no offer.
 *
 * @throws invalid_state while the operator has paused the connection, and when the place has no offer any more
 */
async function renewedOffer(
  db: Readable,
  now: Date,
  order: OrderInLife,
  buyer: Actor,
): Promise<PlaceOffer | null> {
  if (order.supplier === OWN_STOCK) return null
  const offer = await offerOfOrder(db, now, buyer, order.id)
  if (offer === null || offer?.connectionPaused) throw wrongState(order)
  return offer ?? null
}

async function pricesOf(db: Readable, buyer: Actor, productId: number): Promise<SoldTiers> {
  const scopes = scopesOf(buyer)
  const [product] = await readPrices(db, { ...scopes, productId })
  return buyerPrices(scopes, product?.prices ?? [], product?.agentPrices ?? [])
}

const readPrices = compiled<BuyerScopes & { productId: number }>()(
  (db, { user, agent, level, userId, agentId, productId }) =>
    db
      .selectFrom('products as p')
      .select(({ ref }) => [
        rowsAsJson(priceRows({ user, agent, level }, ref('p.id')), 'minQuantity').as('prices'),
        rowsAsJson(agentPriceRows({ userId, agentId }, ref('p.id')), 'minQuantity').as('agentPrices'),
      ])
      .where('p.id', '=', productId),
)

function tooLarge(): never {
  throw InvalidInput.of('duration', 'amount_too_large')
}
