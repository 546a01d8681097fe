import type { Actor } from '../../src/core/access/actor.ts'
import type { Product } from '../support/product.ts'

/** Orders a proxy; the function waits until it is handed over. */
export async function waitingOrder({ core, until }: Product, customer: Actor) {
  const { orderNo } = await core.orders.createStatic(customer, {
    poolId: 'ISP',
    userId: customer.id,
    ipCount: 1,
    duration: 1,
    unit: 3,
  })
  return () => until(`SELECT 1 FROM static_orders WHERE order_no = '${orderNo}' AND status = 'active'`)
}
