import type { Actor } from '../access/actor.ts'
import { findStaticOrder } from './find-static-order.ts'
import { getStaticOrder, type StaticOrder } from './static-order.ts'
import type { Essentials } from '../jobs/essentials.ts'

/**
 * Returns an order with all its proxies, by order number or application order number (rules 4.6).
 *
 * @throws order_not_found, also when it is somebody else's
 */
export async function getStaticOrderByNumber(
  deps: Essentials,
  actor: Actor,
  orderNo: string,
): Promise<StaticOrder> {
  const { id } = await findStaticOrder(deps.db.read, actor, { orderNo })
  return getStaticOrder(deps, actor, { id })
}
