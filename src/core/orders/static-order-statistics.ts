import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Actor, visibleTo } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { expiringSoon } from './list-static-orders.ts'
import { INSTANCE_STATUSES, type InstanceStatus, ORDER_STATUSES, type OrderStatus } from './static-order.ts'

export type StaticOrderStatistics = Readonly<Record<OrderStatus, number>> & {
  readonly total: number
  /** Orders of which a proxy expires within 7 days, as the filter `expiring` of the list finds them. */
  readonly expiringSoon: number
  readonly instances: Readonly<Record<InstanceStatus, number>> & { readonly total: number }
}

const StatisticsFilter = z.object({ userId: z.int().positive().optional() })

/** How many orders and proxies the actor may see in each state (rules 5.14). */
export async function staticOrderStatistics(
  { db, clock }: CoreDeps,
  actor: Actor,
  input: z.input<typeof StatisticsFilter> = {},
): Promise<StaticOrderStatistics> {
  const { userId } = parseInput(StatisticsFilter, input)
  const mine = (column: string) =>
    userId === undefined
      ? visibleTo(actor, column)
      : Prisma.sql`${visibleTo(actor, column)} AND ${Prisma.raw(column)} = ${userId}`
  const [row] = await selectJson<Counts>(
    db.read,
    Prisma.sql`SELECT json_object(
      'orders', (SELECT json_group_object(status, number) FROM (
                   SELECT o.status, count(*) AS number FROM static_orders o WHERE ${mine('o.user_id')} GROUP BY o.status)),
      'instances', (SELECT json_group_object(status, number) FROM (
                      SELECT i.status, count(*) AS number FROM instances i WHERE ${mine('i.user_id')} GROUP BY i.status)),
      'expiringSoon', (SELECT count(DISTINCT i.order_id) FROM instances i WHERE ${mine('i.user_id')} AND ${expiringSoon(clock.now())})) AS json`,
  )
  const { orders = {}, instances = {}, expiringSoon: soon = 0 } = row ?? {}
  return {
    ...counted(ORDER_STATUSES, orders),
    expiringSoon: soon,
    instances: counted(INSTANCE_STATUSES, instances),
  }
}

interface Counts {
  readonly orders: Partial<Record<OrderStatus, number>>
  readonly instances: Partial<Record<InstanceStatus, number>>
  readonly expiringSoon: number
}

function counted<Status extends string>(
  statuses: readonly Status[],
  counts: Partial<Record<Status, number>>,
) {
  const each = statuses.map((status) => [status, counts[status] ?? 0] as const)
  const total = each.reduce((sum, [, number]) => sum + number, 0)
  return { ...(Object.fromEntries(each) as Record<Status, number>), total }
}
