import type { Role } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import { listOf, literal, valuesAsJson } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { type Instance, INSTANCE_COLUMNS, isOf } from './static-order.ts'

export type OrderedInstance = Instance & { readonly orderNo: string }

/** Proxies per statement; other requests are served between the statements. */
const BATCH = 500

/**
 * All proxies that a user can use now, oldest first.
 *
 * @param userId the actor, which is the default, or a direct sub-user; for anybody else the result is empty
 */
export async function activeInstances(
  { db }: CoreDeps,
  actor: Actor,
  userId: number = actor.id,
): Promise<OrderedInstance[]> {
  const scope = { actorId: actor.id, userId }
  const [all] = await findActive(db.read, { role: actor.role }, scope)
  const found: OrderedInstance[] = []
  for (const ids of inPieces(all?.ids ?? [], BATCH)) {
    if (found.length > 0) await nextTurn()
    found.push(...(await readActive(db.read, { ids })))
  }
  return found
}

const findActive = compiledByShape<{ role: Role }, { actorId: number; userId: number }>()(
  (db, { role }, { actorId, userId }) =>
    db.selectNoFrom(({ selectFrom }) =>
      valuesAsJson(
        selectFrom('instances as i')
          .select('i.id')
          .where(({ ref }) => isOf({ role, actorId, userId }, ref('i.userId')))
          .where('i.status', '=', literal('active')),
      ).as('ids'),
    ),
)

/** Leaves out proxies that are not active any more. */
const readActive = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .select(INSTANCE_COLUMNS)
    .select('o.orderNo')
    .where('i.id', 'in', listOf(ids))
    .where('i.status', '=', literal('active'))
    .orderBy('i.id'),
)
