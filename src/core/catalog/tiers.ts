import type { Micros } from '../money.ts'

/** Prices by quantity: from how many units on, and the price of one; by ascending quantity. */
export type PriceTiers = readonly (readonly [minQuantity: number, price: Micros])[]

/** What a buyer pays, and what the shop gets of it: less, where the buyer's agent adds something of its own (rules 13.1). */
export interface SoldTiers {
  readonly tiers: PriceTiers
  readonly shopTiers: PriceTiers
}

/** Returns the tiers up to a quantity: the last one is the price of that quantity. */
export function upTo(tiers: PriceTiers, quantity: number): PriceTiers {
  return tiers.filter(([minQuantity]) => minQuantity <= quantity)
}

/** @returns undefined where the quantity is below the first tier */
export function priceAt(tiers: PriceTiers, quantity: number): Micros | undefined {
  return tiers.findLast(([minQuantity]) => minQuantity <= quantity)?.[1]
}

/** Returns all quantities at which any of the tiers begins, ascending. */
export function startsOf(lists: readonly PriceTiers[]): number[] {
  return [...new Set(lists.flat().map(([minQuantity]) => minQuantity))].toSorted((a, b) => a - b)
}

/** A lower price, and the quantity from which it holds. */
export interface NextTier {
  readonly minQuantity: number
  readonly price: Micros
}

/** Returns the next lower price among all tiers of a buyer; null when there is none. */
export function nextOf(tiers: PriceTiers, unitPrice: Micros, quantity: number): NextTier | null {
  const next = tiers.find(([minQuantity, price]) => minQuantity > quantity && price < unitPrice)
  return next ? { minQuantity: next[0], price: next[1] } : null
}
