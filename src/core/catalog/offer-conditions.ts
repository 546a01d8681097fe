import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import { priceAt, type PriceTiers } from './tiers.ts'
import { isFalse, literal, type ValueOf } from '../database/dialect.ts'
import type { Micros } from '../money.ts'

/*
 * When an offer of a supplier is sold (rules 3.10). What depends on time and on the operator is a condition of queries, in which
 * the table of offers is `f`, that of connections `c`, that of places `l`; what depends on the buyer's price is computed here, so
 * that catalogue, quote and order agree.
 */

type OfferBuilder = ExpressionBuilder<{ f: DB['supplierOffers']; c: DB['supplierConnections'] }, 'f' | 'c'>
type PlaceBuilder = ExpressionBuilder<DB & { l: DB['locations'] }, 'l'>

/** Highest age in ms of the figures of an offer that is sold. */
const FRESH_MS = 15 * 60_000
const BPS = 10_000n

/** The moment for which offers are evaluated. */
export interface OfferMoment<Time = string> {
  readonly now: Time
  /** Offers that were last seen before this moment are too old. */
  readonly freshSince: Time
}

export function offerMoment(now: Date): OfferMoment {
  return { now: now.toISOString(), freshSince: new Date(now.getTime() - FRESH_MS).toISOString() }
}

/** Condition: neither the connection nor the offer is paused, and its figures are fresh. */
export function isOnOffer({ now, freshSince }: OfferMoment<ValueOf<string>>) {
  return ({ eb, ref, and, or }: OfferBuilder): Expression<SqlBool> =>
    and([
      isFalse(ref('f.paused')),
      eb('f.seenAt', '>=', freshSince),
      eb('c.status', '=', literal('active')),
      or([eb('c.pausedUntil', 'is', null), eb('c.pausedUntil', '<=', now)]),
    ])
}

/** Query for the number of proxies that a supplier offers in a place `l`; null for the own stock, and while nothing is on offer. */
export function offeredIn(moment: OfferMoment<ValueOf<string>>) {
  return ({ selectFrom }: PlaceBuilder) =>
    selectFrom('supplierOffers as f')
      .innerJoin('supplierConnections as c', 'c.id', 'f.connectionId')
      .select('f.stock')
      .whereRef('f.id', '=', 'l.offerId')
      .where(isOnOffer(moment))
}

/** What decides how many proxies of an offer are sold. */
export interface OfferFigures {
  /** Cost of one proxy for one period. */
  readonly cost: Micros
  /** 0 while the offer is not on sale. */
  readonly stock: number
  /** Most proxies in one order. */
  readonly maxCount: number
  /** What can be spent at the supplier; null while that is not known. */
  readonly balance: Micros | null
  /** Least share of the price that must be left above the cost, in basis points. */
  readonly minMarginBps: number
}

/** Returns the lowest price at which an offer is sold: it covers the cost and the minimum margin. */
export function lowestPrice({ cost, minMarginBps }: Pick<OfferFigures, 'cost' | 'minMarginBps'>): Micros {
  const left = BPS - BigInt(minMarginBps)
  return Number((BigInt(cost) * BPS + left - 1n) / left)
}

/** Returns how many proxies the balance at the supplier pays for. */
export function affordable({ cost, balance }: Pick<OfferFigures, 'cost' | 'balance'>, periods = 1): number {
  if (balance === null) return 0
  return cost === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, Math.floor(balance / cost / periods))
}

/**
 * Returns the most proxies that one order may take from an offer; 0 when the offer is not sold.
 *
 * @param tiers what the shop gets by quantity; quantities whose price does not cover the cost are left out
 * @param periods number of periods for which they are ordered
 */
export function mostOf(offer: OfferFigures, tiers: PriceTiers, periods = 1): number {
  const most = Math.min(offer.stock, offer.maxCount, affordable(offer, periods))
  const lowest = lowestPrice(offer)
  const ends = tiers.map((_, index) => Math.min(most, (tiers[index + 1]?.[0] ?? Infinity) - 1))
  const sold = tiers.flatMap(([from, price], index) => {
    const end = ends[index] ?? 0
    return price >= lowest && from <= end ? [end] : []
  })
  return sold.at(-1) ?? 0
}

/** Whether an order of `count` proxies may take them from an offer; `tiers` is what the shop gets by quantity. */
export function isSold(offer: OfferFigures, tiers: PriceTiers, count: number, periods: number): boolean {
  const price = priceAt(tiers, count)
  return (
    price !== undefined &&
    price >= lowestPrice(offer) &&
    count <= Math.min(offer.stock, offer.maxCount, affordable(offer, periods))
  )
}
