import { z } from 'zod'
import { type Expression, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access/actor.ts'
import type { Placeholders } from '../database/compiled.ts'
import { type AgentPriceRow, pricesByAgent } from './prices-by-agent.ts'
import { priceAt, type PriceTiers, type SoldTiers, startsOf } from './tiers.ts'
import { fromNumber, type Micros } from '../money.ts'

/** The scope of prices that hold for everybody. */
export const PRODUCT_SCOPE = 'product'

/** Keys of a buyer's prices: the scopes of its own prices, of its agent's and of its agent's level, and the ids of both. */
export interface BuyerScopes {
  readonly user: string
  readonly agent: string
  readonly level: string
  readonly userId: number
  /** 0 for a buyer without an agent. */
  readonly agentId: number
}

export function scopesOf({ id, agentId, level }: Pick<Actor, 'id' | 'agentId' | 'level'>): BuyerScopes {
  return {
    user: userScope(id),
    agent: userScope(agentId ?? 0),
    level: levelScope(level),
    userId: id,
    agentId: agentId ?? 0,
  }
}

/** Query of the rows from which {@link buyerPrices} makes the prices of a buyer. */
export function priceRows(
  { user, agent, level }: Pick<Placeholders<BuyerScopes>, 'user' | 'agent' | 'level'>,
  product: Expression<number>,
) {
  return expressionBuilder<DB>()
    .selectFrom('prices as t')
    .select(['t.scope', 't.minQuantity', 't.price'])
    .where('t.productId', '=', product)
    .where('t.scope', 'in', [user, agent, level, expressionBuilder<DB>().val(PRODUCT_SCOPE)])
}

export interface PriceRow {
  readonly scope: string
  readonly minQuantity: number
  readonly price: Micros
}

/**
 * Returns the prices of a buyer (rules 3.5, 13.1).
 *
 * @param rows result of {@link priceRows}, by ascending quantity
 * @param agentPrices result of `agentPriceRows`, by ascending quantity
 * @param placePrice price of a place, which holds for everybody there (rules 3.11)
 */
export function buyerPrices(
  scopes: BuyerScopes,
  rows: readonly PriceRow[],
  agentPrices: readonly AgentPriceRow[],
  placePrice: Micros | null = null,
): SoldTiers {
  const { user, level } = scopes
  const own = validTiers([user, level], rows, placePrice)
  if (agentPrices.length === 0) return { tiers: own, shopTiers: own }
  return pricesByAgent(own, shopPrices(scopes, rows, placePrice), agentPrices)
}

/**
 * Returns what the shop gets where the agent of a buyer sets the price: what the operator has set for the buyer alone, else what the agent
 * would pay (rules 13.1).
 */
export function shopPrices(
  { user, agent, level }: BuyerScopes,
  rows: readonly PriceRow[],
  placePrice: Micros | null = null,
): PriceTiers {
  return validTiers([user, agent, level], rows, placePrice)
}

/**
 * Returns the tiers that hold for a buyer (rules 3.5): a row of a scope is left out where a narrower scope has a price for that quantity.
 *
 * @param scopes narrower than that of everybody, the narrowest first
 */
function validTiers(
  scopes: readonly string[],
  rows: readonly PriceRow[],
  placePrice: Micros | null,
): PriceTiers {
  const ofScope = (scope: string) =>
    rows.flatMap((row): PriceTiers => (row.scope === scope ? [[row.minQuantity, row.price]] : []))
  const everybody: PriceTiers = placePrice === null ? ofScope(PRODUCT_SCOPE) : [[1, placePrice]]
  const lists = [...scopes.map(ofScope), everybody]
  return startsOf(lists).flatMap((quantity) => {
    const valid = lists.find((tiers) => priceAt(tiers, quantity) !== undefined) ?? []
    return valid.filter(([minQuantity]) => minQuantity === quantity)
  })
}

export const userScope = (id: number | '') => `user:${id}`
export const levelScope = (level: number | null) => `level:${level ?? 'none'}`

/** An amount of 0 or more as a JSON number, in units of the currency. */
export const PriceInUnits = z
  .number()
  .refine((value) => value >= 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })

/** As {@link PriceInUnits}, read as {@link Micros}; not for schemas that the API shares, because their input is parsed twice. */
export const Price = PriceInUnits.transform((value) => fromNumber(value) ?? 0)

/** Number of IPs (GB for dynamic products) from which on a price holds. */
export const MinQuantity = z.int().min(1).max(1_000_000)
export const Tier = z.object({ minQuantity: MinQuantity, price: Price })

export function sameQuantityTwice(tiers: readonly { readonly minQuantity: number }[]): boolean {
  return new Set(tiers.map(({ minQuantity }) => minQuantity)).size < tiers.length
}
