import type { Role } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import { listOf, valuesAsJson } from '../database/dialect.ts'
import { inPieces, nextTurn } from '../turns.ts'
import { type Instance, INSTANCE_COLUMNS, isOf } from './static-order.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** An instance with the number of its order and the username of its owner. */
export type OrderedInstance = Instance & { readonly orderNo: string; readonly owner: string }

/** Proxies per statement; other requests are served between the statements. */
const BATCH = 500

/** Filter of the proxies; a missing field does not filter. */
interface WhichProxies {
  /** The actor or a direct sub-user; for anybody else nothing is found. Undefined: every account that the actor may see. */
  readonly userId?: number | undefined
  readonly orderId?: number | undefined
}

/** Reads all active proxies, oldest first. */
export async function activeInstances(
  { db }: Essentials,
  { id, role }: Pick<Actor, 'id' | 'role'>,
  { userId, orderId }: WhichProxies,
): Promise<OrderedInstance[]> {
  const [all] = await findActive(db.read, { role }, { actorId: id, userId, orderId })
  const found: OrderedInstance[] = []
  for (const ids of inPieces(all?.ids ?? [], BATCH)) {
    if (found.length > 0) await nextTurn()
    found.push(...(await readActive(db.read, { ids })))
  }
  return found
}

const findActive = compiledByShape<{ role: Role }, WhichProxies & { readonly actorId: number }>()(
  (db, { role }, { actorId, userId, orderId }) =>
    db.selectNoFrom(({ selectFrom }) =>
      valuesAsJson(
        selectFrom('instances as i')
          .select('i.id')
          .where(({ ref }) => isOf({ role, actorId, userId }, ref('i.userId')))
          .where('i.status', '=', 'active')
          .where(({ eb, and }) => and(orderId ? [eb('i.orderId', '=', orderId)] : [])),
      ).as('ids'),
    ),
)

/** Reads the proxies with these ids that are still active. */
const readActive = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('accounts as a', 'a.id', 'i.userId')
    .select(INSTANCE_COLUMNS)
    .select(['o.orderNo', 'a.username as owner'])
    .where('i.id', 'in', listOf(ids))
    .where('i.status', '=', 'active')
    .orderBy('i.id'),
)
