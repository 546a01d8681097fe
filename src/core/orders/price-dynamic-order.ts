import type { Actor } from '../access/actor.ts'
import { type BuyerScopes, scopesOf, buyerPrices, priceRows } from '../catalog/prices.ts'
import { nextOf, type NextTier, priceAt } from '../catalog/tiers.ts'
import { compiled } from '../database/compiled.ts'
import { rowsAsJson } from '../database/dialect.ts'
import { agentPriceRows } from '../catalog/prices-by-agent.ts'
import type { Readable } from '../database/database.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { type Discounted, discounted } from '../promotions/discount.ts'
import type { UsablePromoCode } from '../promotions/promo-code.ts'
import { MAX_MICROS, type Micros } from '../money.ts'
import { type Bytes, bytesOf } from '../bytes.ts'
import type { DynamicOrderRequest } from './dynamic-order-input.ts'

interface DynamicOrderTerms extends Discounted {
  readonly productId: number
  readonly bytes: Bytes
  /** Price per GB. */
  readonly unitPrice: Micros
  /** The next lower price that a larger order would get. */
  readonly nextTier: NextTier | null
}

/**
 * Prices traffic for its buyer (rules 3.5, 6.1): the price of the tier that the order reaches, times the GB. Prices that the client
 * sends are ignored.
 *
 * @param promo the promotion code that the order names
 * @throws product_not_found, promo_code_not_usable, validation_error
 */
export async function priceDynamicOrder(
  db: Readable,
  buyer: Actor,
  { poolId, trafficAmount }: DynamicOrderRequest,
  promo?: UsablePromoCode,
): Promise<DynamicOrderTerms> {
  const quantity = tierQuantity(trafficAmount)
  const scopes = scopesOf(buyer)
  const [product] = await pricedProduct(db, { ...scopes, poolId })
  if (!product) throw new ServiceError('product_not_found')
  const { productId } = product
  const { tiers, shopTiers } = buyerPrices(scopes, product.prices, product.agentPrices)
  const [unitPrice, shopPrice] = [priceAt(tiers, quantity), priceAt(shopTiers, quantity)]
  if (unitPrice === undefined || shopPrice === undefined) throw new ServiceError('product_not_found')
  const bytes = bytesOf(trafficAmount)
  const listAmount = priceOf(bytes, unitPrice)
  if (listAmount === undefined) throw InvalidInput.of('trafficAmount', 'amount_too_large')
  const earning = listAmount - (priceOf(bytes, shopPrice) ?? listAmount)
  const price = discounted({ productNo: poolId, totalAmount: listAmount, earning }, promo)
  return { productId, bytes, unitPrice, ...price, nextTier: nextOf(tiers, unitPrice, quantity) }
}

interface Wanted extends BuyerScopes {
  readonly poolId: string
}

const pricedProduct = compiled<Wanted>()((db, { user, agent, level, userId, agentId, poolId }) =>
  db
    .selectFrom('products as p')
    .select('p.id as productId')
    .select(({ ref }) => [
      rowsAsJson(priceRows({ user, agent, level }, ref('p.id')), 'minQuantity').as('prices'),
      rowsAsJson(agentPriceRows({ userId, agentId }, ref('p.id')), 'minQuantity').as('agentPrices'),
    ])
    .where('p.productNo', '=', poolId)
    .where('p.enabled', '=', true)
    .where('p.pool', 'is not', null),
)

/** Returns the quantity by which the tier is chosen: whole GB, at least 1. */
function tierQuantity(gigabytes: number): number {
  return Math.max(1, Math.floor(gigabytes))
}

/** Rounds up to the smallest unit of money, so that no amount of traffic is free. */
function priceOf(bytes: Bytes, perGigabyte: Micros): Micros | undefined {
  const gigabyte = 1_000_000_000n
  const total = (BigInt(bytes) * BigInt(perGigabyte) + gigabyte - 1n) / gigabyte
  return total <= BigInt(MAX_MICROS) ? Number(total) : undefined
}
