import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { type Instance, instanceJson } from './static-order.ts'

export type OrderedInstance = Instance & { readonly orderNo: string }

/** Read at once; in between others get their turn. */
const BATCH = 500

/**
 * All proxies that a user can use now, oldest first.
 *
 * @param userId the actor itself unless said otherwise, or a direct sub-user; there are none of anybody else
 */
export async function activeInstances(
  { db }: CoreDeps,
  actor: Actor,
  userId: number = actor.id,
): Promise<OrderedInstance[]> {
  const mine = Prisma.sql`i.user_id = ${userId} AND ${visibleTo(actor, 'i.user_id')} AND i.status = 'active'`
  const [ids = []] = await selectJson<number[]>(
    db.read,
    Prisma.sql`SELECT json_group_array(i.id) AS json FROM instances i WHERE ${mine}`,
  )
  ids.sort((a, b) => a - b)
  const found: OrderedInstance[] = []
  for (const some of inPieces(ids, BATCH)) {
    if (found.length > 0) await nextTurn()
    const instances = await selectJson<OrderedInstance>(
      db.read,
      Prisma.sql`SELECT json_patch(${instanceJson}, json_object('orderNo', o.order_no)) AS json
                 FROM json_each(${JSON.stringify(some)}) wanted
                 CROSS JOIN instances i ON i.id = wanted.value JOIN static_orders o ON o.id = i.order_id
                 WHERE ${mine} ORDER BY i.id`,
    )
    found.push(...instances)
  }
  return found
}
