import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { type Instance, instanceJson } from './static-order.ts'

export type OrderedInstance = Instance & { readonly orderNo: string }

/**
 * All proxies that a user can use now, oldest first.
 *
 * @param userId the actor itself unless said otherwise, or a direct sub-user; there are none of anybody else
 */
export function activeInstances(
  { db }: CoreDeps,
  actor: Actor,
  userId: number = actor.id,
): Promise<OrderedInstance[]> {
  return selectJson<OrderedInstance>(
    db.read,
    Prisma.sql`SELECT json_patch(${instanceJson}, json_object('orderNo', o.order_no)) AS json
               FROM instances i JOIN static_orders o ON o.id = i.order_id
               WHERE i.user_id = ${userId} AND ${visibleTo(actor, 'i.user_id')} AND i.status = 'active' ORDER BY i.id`,
  )
}
