import { z } from 'zod'
import type { Role } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import { compiledByShape } from '../database/compiled.ts'
import { rowsAsJson } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { expiresSoon, soonFrom } from './list-static-orders.ts'
import {
  INSTANCE_STATUSES,
  type InstanceStatus,
  isOf,
  ORDER_STATUSES,
  type OrderStatus,
} from './static-order.ts'
import type { Essentials } from '../jobs/essentials.ts'

type StaticOrderStatistics = Readonly<Record<OrderStatus, number>> & {
  readonly total: number
  /** Orders with a proxy that expires within 7 days, as in the filter `expiring` of the list. */
  readonly expiringSoon: number
  readonly instances: Readonly<Record<InstanceStatus, number>> & { readonly total: number }
}

const StatisticsFilter = z.object({ userId: z.int().positive().optional() })

/** Counts the orders and proxies that the actor may see, by status (rules 5.14). */
export async function staticOrderStatistics(
  { db, clock }: Essentials,
  actor: Actor,
  input: z.input<typeof StatisticsFilter> = {},
): Promise<StaticOrderStatistics> {
  const { userId } = parseInput(StatisticsFilter, input)
  const { role, id: actorId } = actor
  const [row] = await countOrders(db.read, { role }, { actorId, userId, soon: soonFrom(clock.now()) })
  const { orders = [], instances = [], expiringSoon = 0 } = row ?? {}
  return {
    ...counted(ORDER_STATUSES, orders),
    expiringSoon,
    instances: counted(INSTANCE_STATUSES, instances),
  }
}

const countOrders = compiledByShape<
  { role: Role },
  { actorId: number; userId: number | undefined; soon: string }
>()((db, { role }, { actorId, userId, soon }) =>
  db.selectNoFrom(({ selectFrom, fn }) => {
    const scope = { role, actorId, userId }
    const orders = selectFrom('staticOrders as o').where(({ ref }) => isOf(scope, ref('o.userId')))
    const instances = selectFrom('instances as i').where(({ ref }) => isOf(scope, ref('i.userId')))
    const number = fn.countAll<number>().as('number')
    return [
      rowsAsJson(orders.select(['o.status', number]).groupBy('o.status'), 'status').as('orders'),
      rowsAsJson(instances.select(['i.status', number]).groupBy('i.status'), 'status').as('instances'),
      instances
        .select((i) => i.fn.count<number>('i.orderId').distinct().as('number'))
        .where(expiresSoon(soon))
        .$asScalar()
        .$notNull()
        .as('expiringSoon'),
    ]
  }),
)

function counted<Status extends string>(
  statuses: readonly Status[],
  counts: readonly { readonly status: Status; readonly number: number }[],
) {
  const known = new Map(counts.map(({ status, number }) => [status, number]))
  const each = statuses.map((status) => [status, known.get(status) ?? 0] as const)
  const total = each.reduce((sum, [, number]) => sum + number, 0)
  return { ...(Object.fromEntries(each) as Record<Status, number>), total }
}
