import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { type Readable, selectJson } from '../database/database.ts'
import { fromNumber, type Micros } from '../money.ts'

/** The scope of prices that hold for everybody. */
export const PRODUCT_SCOPE = 'product'

/**
 * SQL of the row in `prices` that holds for a buyer (rules 3.5): the user's own price, else that of its agent's level, else
 * the product's; within the scope the one with the highest minimum that the quantity reaches.
 *
 * @param value column to select
 * @param product SQL of the product id; a constant of the code
 */
export function priceFor(
  buyer: Actor,
  value: 'price' | 'scope',
  product: string,
  quantity: number | Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`(
    SELECT ${Prisma.raw(value)} FROM prices
    WHERE product_id = ${Prisma.raw(product)} AND min_quantity <= ${quantity} AND scope IN (${scopesOf(buyer)})
    ORDER BY CASE substr(scope, 1, 5) WHEN 'user:' THEN 0 WHEN 'level' THEN 1 ELSE 2 END, min_quantity DESC LIMIT 1)`
}

/**
 * SQL condition on rows `t` of `prices`: they are tiers of a buyer, which hold from their quantity on. Those of a scope that a
 * narrower one has taken over by then are none.
 *
 * @param product SQL of the product id; a constant of the code
 */
export function tierOf(buyer: Actor, product: string): Prisma.Sql {
  return Prisma.sql`t.product_id = ${Prisma.raw(product)} AND t.scope IN (${scopesOf(buyer)})
    AND t.scope = ${priceFor(buyer, 'scope', product, Prisma.sql`t.min_quantity`)}`
}

/** Prices by quantity: from how many units on, and the price of one; by ascending quantity. */
export type PriceTiers = readonly (readonly [minQuantity: number, price: Micros])[]

/** SQL of a buyer's {@link PriceTiers} as JSON, up to a quantity: the last one is the price of that quantity. */
export function tiersUpTo(buyer: Actor, product: string, quantity: number): Prisma.Sql {
  return Prisma.sql`(SELECT json_group_array(json_array(t.min_quantity, t.price) ORDER BY t.min_quantity) FROM prices t
    WHERE ${tierOf(buyer, product)} AND t.min_quantity <= ${quantity})`
}

/** @returns undefined where no tier begins so low */
export function priceAt(tiers: PriceTiers, quantity: number): Micros | undefined {
  return tiers.findLast(([minQuantity]) => minQuantity <= quantity)?.[1]
}

/** A lower price, and the quantity from which it holds. */
export interface NextTier {
  readonly minQuantity: number
  readonly price: Micros
}

/** The next lower price that a larger order would get. */
export async function nextTier(
  db: Readable,
  buyer: Actor,
  { productId, unitPrice }: { readonly productId: number; readonly unitPrice: Micros },
  quantity: number,
): Promise<NextTier | null> {
  const [tier] = await selectJson<NextTier>(
    db,
    Prisma.sql`SELECT json_object('minQuantity', t.min_quantity, 'price', t.price) AS json FROM products p, prices t
               WHERE p.id = ${productId} AND ${tierOf(buyer, 'p.id')}
                 AND t.min_quantity > ${quantity} AND t.price < ${unitPrice} ORDER BY t.min_quantity LIMIT 1`,
  )
  return tier ?? null
}

export const userScope = (id: number) => `user:${id}`
export const levelScope = (level: number | null) => `level:${level ?? 'none'}`

/** The scopes whose prices a buyer may get. */
function scopesOf({ id, level }: Actor): Prisma.Sql {
  return Prisma.join([userScope(id), levelScope(level), PRODUCT_SCOPE])
}

/** An amount of 0 or more as a JSON number. */
export const Price = z
  .number()
  .refine((value) => value >= 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
  .transform((value) => fromNumber(value) ?? 0)
