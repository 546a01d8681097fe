import { z } from 'zod'
import type { Tx } from '../database/database.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { usernameKey } from '../usernames.ts'
import {
  levelScope,
  MinQuantity,
  Price,
  PRODUCT_SCOPE,
  sameQuantityTwice,
  Tier,
  userScope,
} from './prices.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Identifies a price: that for everybody, unless a level or an account is named. */
export const PriceName = z.object({
  productNo: z.string(),
  level: z.int().min(1).optional(),
  username: z.string().optional(),
  /** Number of IPs (GB for dynamic products) from which on the price holds. */
  minQuantity: MinQuantity.default(1),
})

export const NewPrice = PriceName.extend({ price: Price })

/**
 * Sets, for the operator, a price for everybody, for the customers of a level, or for one user (rules 3.5, 10.6).
 *
 * @returns the scope of the price
 * @throws product_not_found, user_not_found, validation_error
 */
export async function setPrice(
  deps: Essentials,
  input: z.input<typeof NewPrice>,
): Promise<{ scope: string }> {
  const { price, ...name } = parseInput(NewPrice, input)
  return deps.db.write(async (tx) => {
    const key = await keyOf(tx, name)
    await refuseIfFollowing(tx, key)
    await tx.$kysely
      .insertInto('prices')
      .values({ ...key, price })
      .onConflict((known) => known.columns(['productId', 'scope', 'minQuantity']).doUpdateSet({ price }))
      .execute()
    return key
  })
}

const AllPrices = PriceName.omit({ minQuantity: true }).extend({
  /** Empty: the prices of the next wider scope apply. */
  tiers: z
    .array(Tier)
    .max(50)
    .refine((tiers) => !sameQuantityTwice(tiers), { error: 'quantity_comes_twice' }),
})

/**
 * Replaces, for the operator, all prices for everybody, for the customers of a level, or for one user; those that are not given are
 * removed (rules 10.6).
 *
 * @returns the scope of the prices
 * @throws product_not_found, user_not_found, validation_error
 */
export async function setPrices(
  deps: Essentials,
  input: z.input<typeof AllPrices>,
): Promise<{ scope: string }> {
  const { tiers, ...name } = parseInput(AllPrices, input)
  return deps.db.write(async (tx) => {
    const { productId, scope } = await keyOf(tx, { ...name, minQuantity: 1 })
    await refuseIfFollowing(tx, { productId, scope })
    if (scope === PRODUCT_SCOPE && !tiers.some(({ minQuantity }) => minQuantity === 1))
      throw InvalidInput.of('price', 'first_price_stays')
    await tx.$kysely
      .deleteFrom('prices')
      .where('productId', '=', productId)
      .where('scope', '=', scope)
      .execute()
    if (tiers.length > 0)
      await tx.$kysely
        .insertInto('prices')
        .values(tiers.map((tier) => ({ productId, scope, ...tier })))
        .execute()
    return { scope }
  })
}

/**
 * Removes a price, for the operator; the price of the next wider scope applies then. The first price for everybody cannot be removed:
 * without it nobody could buy (rules 10.6).
 *
 * @returns the scope of the removed price
 * @throws product_not_found, user_not_found, validation_error
 */
export async function removePrice(
  deps: Essentials,
  input: z.input<typeof PriceName>,
): Promise<{ scope: string }> {
  const name = parseInput(PriceName, input)
  return deps.db.write(async (tx) => {
    const key = await keyOf(tx, name)
    await refuseIfFollowing(tx, key)
    if (key.scope === PRODUCT_SCOPE && key.minQuantity === 1)
      throw InvalidInput.of('price', 'first_price_stays')
    const { numDeletedRows } = await tx.$kysely
      .deleteFrom('prices')
      .where('productId', '=', key.productId)
      .where('scope', '=', key.scope)
      .where('minQuantity', '=', key.minQuantity)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw InvalidInput.of('price', 'no_such_price')
    return key
  })
}

/** Refuses a price for everybody where it follows the cost (rules 3.11). */
async function refuseIfFollowing(
  tx: Tx,
  { productId, scope }: { readonly productId: number; readonly scope: string },
): Promise<void> {
  if (scope !== PRODUCT_SCOPE) return
  const product = await tx.$kysely
    .selectFrom('products')
    .select(['marginBps', 'marginAmount'])
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  if (product.marginBps !== null || product.marginAmount !== null)
    throw InvalidInput.of('price', 'follows_the_cost')
}

async function keyOf(tx: Tx, { productNo, level, username, minQuantity }: z.output<typeof PriceName>) {
  const product = await tx.$kysely
    .selectFrom('products')
    .select('id')
    .where('productNo', '=', productNo)
    .executeTakeFirst()
  if (!product) throw new ServiceError('product_not_found')
  const scope =
    username !== undefined
      ? userScope(await idOf(tx, username))
      : level !== undefined
        ? levelScope(level)
        : PRODUCT_SCOPE
  return { productId: product.id, scope, minQuantity }
}

async function idOf(tx: Tx, username: string): Promise<number> {
  const account = await tx.$kysely
    .selectFrom('accounts')
    .select('id')
    .where('usernameKey', '=', usernameKey(username))
    .executeTakeFirst()
  if (!account) throw new ServiceError('user_not_found')
  return account.id
}
