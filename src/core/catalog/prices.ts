import { z } from 'zod'
import { type Expression, type ExpressionBuilder, expressionBuilder } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access.ts'
import { compiled } from '../database/compiled.ts'
import type { ValueOf } from '../database/dialect.ts'
import type { Queryable } from '../database/queries.ts'
import { fromNumber, type Micros } from '../money.ts'

/** The scope of prices that hold for everybody. */
export const PRODUCT_SCOPE = 'product'

/** The scopes that take precedence over {@link PRODUCT_SCOPE} for a buyer: its own, and that of its agent's level. */
export interface BuyerScopes<Scope = string> {
  readonly user: Scope
  readonly level: Scope
}

export function scopesOf({ id, level }: Actor): BuyerScopes {
  return { user: userScope(id), level: levelScope(level) }
}

type Scopes = BuyerScopes<ValueOf<string>>

/**
 * Query of the row in `prices` that applies to a buyer (rules 3.5): the user's own price, else that of its agent's level, else the
 * product's; within the scope the one with the highest minimum that the quantity reaches.
 *
 * @param column what to select of the row
 */
export function validPrice<Column extends 'price' | 'scope'>(
  { user, level }: Scopes,
  column: Column,
  product: Expression<number>,
  quantity: ValueOf<number>,
) {
  const { selectFrom } = expressionBuilder<DB>()
  return selectFrom('prices')
    .select(column)
    .where('productId', '=', product)
    .where('minQuantity', '<=', quantity)
    .where('scope', 'in', [user, level, PRODUCT_SCOPE])
    .orderBy(({ eb }) =>
      eb.case().when('scope', '=', user).then(0).when('scope', '=', level).then(1).else(2).end(),
    )
    .orderBy('minQuantity', 'desc')
    .limit(1)
}

/**
 * Condition on rows `t` of `prices`: the row is a tier of the buyer, which applies from its quantity on. A row of a scope is left
 * out where a narrower scope has a price for that quantity.
 *
 * @param placePrice where it is not null, it holds in place of the product's prices: see {@link tiersInPlace}
 */
export function isTierOf(
  scopes: Scopes,
  product: Expression<number>,
  placePrice?: Expression<Micros | null>,
) {
  return ({ eb, ref, and, or }: ExpressionBuilder<{ t: DB['prices'] }, 't'>) =>
    and([
      eb('t.productId', '=', product),
      eb('t.scope', 'in', [scopes.user, scopes.level, PRODUCT_SCOPE]),
      eb('t.scope', '=', validPrice(scopes, 'scope', product, ref('t.minQuantity'))),
      ...(placePrice ? [or([eb('t.scope', '<>', PRODUCT_SCOPE), eb(placePrice, 'is', null)])] : []),
    ])
}

/** Prices by quantity: from how many units on, and the price of one; by ascending quantity. */
export type PriceTiers = readonly (readonly [minQuantity: number, price: Micros])[]

/** Query of a buyer's tiers up to a quantity: the last one is the price of that quantity. */
export function tiersUpTo(scopes: Scopes, product: Expression<number>, quantity: ValueOf<number>) {
  return expressionBuilder<DB>()
    .selectFrom('prices as t')
    .select(['t.minQuantity', 't.price'])
    .where(isTierOf(scopes, product))
    .where('t.minQuantity', '<=', quantity)
}

/** The rows of {@link tiersUpTo}, by ascending quantity, as they are stored with an order or renewal. */
export function tiersOf(
  rows: readonly { readonly minQuantity: number; readonly price: Micros }[],
): PriceTiers {
  return rows.map(({ minQuantity, price }) => [minQuantity, price])
}

/**
 * The buyer's tiers in a place: those of {@link isTierOf}, and below them the price of the place where it has one (rules 3.11).
 *
 * @param tiers by ascending quantity
 */
export function tiersInPlace(tiers: PriceTiers, placePrice: Micros | null): PriceTiers {
  const [first] = tiers
  return placePrice === null || first?.[0] === 1 ? tiers : [[1, placePrice], ...tiers]
}

/** The tiers up to a quantity: the last one is the price of that quantity. */
export function upTo(tiers: PriceTiers, quantity: number): PriceTiers {
  return tiers.filter(([minQuantity]) => minQuantity <= quantity)
}

/** @returns undefined where the quantity is below the first tier */
export function priceAt(tiers: PriceTiers, quantity: number): Micros | undefined {
  return tiers.findLast(([minQuantity]) => minQuantity <= quantity)?.[1]
}

/** A lower price, and the quantity from which it holds. */
export interface NextTier {
  readonly minQuantity: number
  readonly price: Micros
}

/** The next lower price that a larger order of the own stock, or of traffic, would get. */
export async function nextTier(
  db: Queryable,
  buyer: Actor,
  { productId, unitPrice }: { readonly productId: number; readonly unitPrice: Micros },
  quantity: number,
): Promise<NextTier | null> {
  const [tier] = await findNextTier(db, { ...scopesOf(buyer), productId, unitPrice, quantity })
  return tier ?? null
}

interface PricedQuantity extends BuyerScopes {
  readonly productId: number
  readonly unitPrice: Micros
  readonly quantity: number
}

/** The next lower price among all tiers of a buyer. */
export function nextOf(tiers: PriceTiers, unitPrice: Micros, quantity: number): NextTier | null {
  const next = tiers.find(([minQuantity, price]) => minQuantity > quantity && price < unitPrice)
  return next ? { minQuantity: next[0], price: next[1] } : null
}

const findNextTier = compiled<PricedQuantity>()((db, { user, level, productId, unitPrice, quantity }) =>
  db
    .selectFrom('prices as t')
    .select(['t.minQuantity', 't.price'])
    .where(isTierOf({ user, level }, productId))
    .where('t.minQuantity', '>', quantity)
    .where('t.price', '<', unitPrice)
    .orderBy('t.minQuantity')
    .limit(1),
)

export const userScope = (id: number) => `user:${id}`
export const levelScope = (level: number | null) => `level:${level ?? 'none'}`

/** An amount of 0 or more as a JSON number. */
export const Price = z
  .number()
  .refine((value) => value >= 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
  .transform((value) => fromNumber(value) ?? 0)

/** From how many IPs (GB for dynamic products) on a price holds. */
export const MinQuantity = z.int().min(1).max(1_000_000)
export const Tier = z.object({ minQuantity: MinQuantity, price: Price })

export function sameQuantityTwice(tiers: readonly { readonly minQuantity: number }[]): boolean {
  return new Set(tiers.map(({ minQuantity }) => minQuantity)).size < tiers.length
}
