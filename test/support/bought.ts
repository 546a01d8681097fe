import type { Actor } from '../../src/core/access/actor.ts'
import type { CUSTOMER, Product } from './product.ts'

/** An account as the core knows it. */
export async function actorOf({ core }: Product, account: typeof CUSTOMER): Promise<Actor> {
  const { token } = await core.accounts.logIn({ ...account, address: 'test' })
  return core.accounts.authenticate(token)
}

/** Buys static proxies for a month, one order per number, and waits until the loop has completed them. */
export async function buyStatic(
  product: Product,
  account: typeof CUSTOMER,
  counts: readonly number[],
  { poolId = 'ISP', userId }: { readonly poolId?: string; readonly userId?: number } = {},
): Promise<Actor> {
  const actor = await actorOf(product, account)
  for (const ipCount of counts) {
    const order = { poolId, userId: userId ?? actor.id, ipCount, duration: 1, unit: 3 } as const
    await product.core.orders.createStatic(actor, order)
  }
  await product.until(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM static_orders WHERE status = 'processing')`)
  return actor
}
