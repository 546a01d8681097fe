import type { Role } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import { listOf, literal, valuesAsJson } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { type Instance, INSTANCE_COLUMNS, isOf } from './static-order.ts'

/** With the number of its order, and the name of the account that owns it. */
export type OrderedInstance = Instance & { readonly orderNo: string; readonly owner: string }

/** Proxies per statement; other requests are served between the statements. */
const BATCH = 500

/**
 * All proxies that can be used now, oldest first.
 *
 * @param userId the actor or a direct sub-user; for anybody else the result is empty. Undefined: of all whose proxies the actor may see
 */
export async function activeInstances(
  { db }: CoreDeps,
  actor: Actor,
  userId: number | undefined,
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

const findActive = compiledByShape<{ role: Role }, { actorId: number; userId: number | undefined }>()(
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
    .innerJoin('accounts as a', 'a.id', 'i.userId')
    .select(INSTANCE_COLUMNS)
    .select(['o.orderNo', 'a.username as owner'])
    .where('i.id', 'in', listOf(ids))
    .where('i.status', '=', literal('active'))
    .orderBy('i.id'),
)
