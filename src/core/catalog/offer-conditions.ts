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

/** How old the figures of an offer that is sold may be. */
const FRESH_MS = 15 * 60_000
const BPS = 10_000n

/** The moment at which offers are looked at. */
export interface OfferMoment<Time = string> {
  readonly now: Time
  /** Offers that were seen before are too old. */
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

/** The number of proxies that a supplier offers in a place `l`; null for a place of the own stock, and while nothing is on offer. */
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
  /** Of one proxy for one period. */
  readonly cost: Micros
  /** 0 while it is not on offer. */
  readonly stock: number
  /** Most proxies of one order. */
  readonly maxCount: number
  /** What can be spent at the supplier; null while that is not known. */
  readonly balance: Micros | null
  /** Least part of the price that must be left above the cost, in 1/100 percent. */
  readonly minMarginBps: number
}

/** The least price at which an offer is sold: it covers the cost and the minimum margin. */
export function lowestPrice({ cost, minMarginBps }: Pick<OfferFigures, 'cost' | 'minMarginBps'>): Micros {
  const left = BPS - BigInt(minMarginBps)
  return Number((BigInt(cost) * BPS + left - 1n) / left)
}

/** How many proxies the balance at the supplier pays for. */
export function affordable({ cost, balance }: Pick<OfferFigures, 'cost' | 'balance'>, periods = 1): number {
  if (balance === null) return 0
  return cost === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, Math.floor(balance / cost / periods))
}

/**
 * The most proxies that an order of an offer may have; 0 when it is not sold.
 *
 * @param tiers what the shop gets for each number; numbers whose price does not cover the cost are left out
 * @param periods for which they are ordered
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

/** Whether an order of so many proxies may be made of an offer, by what the shop gets for each number. */
export function isSold(offer: OfferFigures, tiers: PriceTiers, count: number, periods: number): boolean {
  const price = priceAt(tiers, count)
  return (
    price !== undefined &&
    price >= lowestPrice(offer) &&
    count <= Math.min(offer.stock, offer.maxCount, affordable(offer, periods))
  )
}
