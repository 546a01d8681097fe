import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'

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

/** SQL of a buyer's {@link PriceTiers} as JSON, up to a quantity: the last one is the price of that quantity. */
export function tiersUpTo(buyer: Actor, product: string, quantity: number): Prisma.Sql {
  return Prisma.sql`(SELECT json_group_array(json_array(t.min_quantity, t.price) ORDER BY t.min_quantity) FROM prices t
    WHERE ${tierOf(buyer, product)} AND t.min_quantity <= ${quantity})`
}

/** The scopes whose prices a buyer may get. */
function scopesOf({ id, level }: Actor): Prisma.Sql {
  return Prisma.join([`user:${id}`, `level:${level ?? 'none'}`, 'product'])
}
