import type { Actor } from '../access.ts'
import { type BuyerScopes, scopesOf, validPrice } from '../catalog/prices.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { InvalidInput, ServiceError } from '../errors.ts'
import { MAX_MICROS, type Micros } from '../money.ts'
import { type Bytes, bytesOf } from '../traffic/bytes.ts'
import type { DynamicOrderRequest } from './dynamic-order-input.ts'

interface DynamicOrderTerms {
  readonly productId: number
  readonly bytes: Bytes
  /** Per GB. */
  readonly unitPrice: Micros
  readonly totalAmount: Micros
}

/**
 * What traffic costs its buyer (rules 3.5, 6.1): the price of the tier that the order reaches, times the GB. Prices that the client
 * sends are ignored.
 *
 * @throws product_not_found, validation_error
 */
export async function priceDynamicOrder(
  db: Readable,
  buyer: Actor,
  { poolId, trafficAmount }: DynamicOrderRequest,
): Promise<DynamicOrderTerms> {
  const quantity = tierQuantity(trafficAmount)
  const [product] = await pricedProduct(db, { ...scopesOf(buyer), poolId, quantity })
  if (!product || product.unitPrice === null) throw new ServiceError('product_not_found')
  const { productId, unitPrice } = product
  const bytes = bytesOf(trafficAmount)
  const totalAmount = priceOf(bytes, unitPrice)
  if (totalAmount === undefined) throw InvalidInput.of('trafficAmount', 'amount_too_large')
  return { productId, bytes, unitPrice, totalAmount }
}

interface Wanted extends BuyerScopes {
  readonly poolId: string
  readonly quantity: number
}

const pricedProduct = compiled<Wanted>()((db, { user, level, poolId, quantity }) =>
  db
    .selectFrom('products as p')
    .select('p.id as productId')
    .select(({ ref }) => validPrice({ user, level }, 'price', ref('p.id'), quantity).as('unitPrice'))
    .where('p.productNo', '=', poolId)
    .where('p.enabled', '=', true)
    .where('p.pool', 'is not', null),
)

/** The quantity by which the tier is chosen: whole GB, at least 1. */
export function tierQuantity(gigabytes: number): number {
  return Math.max(1, Math.floor(gigabytes))
}

/** Rounds up to the smallest unit of money, so that no amount of traffic is free. */
function priceOf(bytes: Bytes, perGigabyte: Micros): Micros | undefined {
  const gigabyte = 1_000_000_000n
  const total = (BigInt(bytes) * BigInt(perGigabyte) + gigabyte - 1n) / gigabyte
  return total <= BigInt(MAX_MICROS) ? Number(total) : undefined
}
