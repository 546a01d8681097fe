import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, targetUser } from '../access.ts'
import { priceFor } from '../catalog/prices.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import type { Micros } from '../money.ts'
import { priceStaticOrder } from './price-static-order.ts'
import { StaticOrderInput } from './static-order-input.ts'

export interface Quote {
  readonly unitPrice: Micros
  readonly quantity: number
  readonly periods: number
  readonly totalAmount: Micros
  readonly currency: string
  readonly balance: Micros
  /** Negative when the balance does not suffice. */
  readonly balanceAfter: Micros
  /** The next lower price and the quantity from which it holds. */
  readonly nextTier: { readonly minQuantity: number; readonly price: Micros } | null
}

/** What an order would cost, without changing anything (contract 3). Refuses what the order itself would refuse, but for money and stock. */
export async function quoteStaticOrder(
  deps: CoreDeps,
  actor: Actor,
  input: StaticOrderInput,
): Promise<Quote> {
  const order = parseInput(StaticOrderInput, input)
  const { read } = deps.db
  const buyer = await targetUser(read, actor, order.userId)
  const { productId, unitPrice, periods, totalAmount } = await priceStaticOrder(read, buyer, order)
  const [nextTier] = await selectJson<{ minQuantity: number; price: Micros }>(
    read,
    Prisma.sql`SELECT json_object('minQuantity', min_quantity, 'price', price) AS json FROM prices, products p
               WHERE p.id = ${productId} AND product_id = p.id AND scope = ${priceFor(buyer, 'scope', 'p.id', order.ipCount)}
                 AND min_quantity > ${order.ipCount} AND price < ${unitPrice} ORDER BY min_quantity LIMIT 1`,
  )
  const balance = await balanceOf(read, buyer.id)
  return {
    unitPrice,
    quantity: order.ipCount,
    periods,
    totalAmount,
    currency: deps.currency,
    balance,
    balanceAfter: balance - totalAmount,
    nextTier: nextTier ?? null,
  }
}
