import { Prisma } from '../../generated/prisma/client.ts'
import type { Readable } from '../database/database.ts'
import {
  type InstanceInLife,
  instancesOf,
  namedInstances,
  type OrderInLife,
  wrongState,
} from './find-static-order.ts'

const HOUR_MS = 60 * 60_000

/**
 * The proxies that a cancellation means: those that it names, or all. Quote and cancellation both ask here.
 *
 * @returns those that it releases, and those that the last cancellation of any of them has released: a repetition is about these
 * @throws instance_not_found, order_processing, invalid_state (failed or expired)
 */
export async function meantInstances(
  db: Readable,
  order: OrderInLife,
  named: readonly string[] | null | undefined,
): Promise<{ active: InstanceInLife[]; released: InstanceInLife[] }> {
  if (order.status === 'processing' || order.status === 'failed') throw wrongState(order)
  const all = await instancesOf(db, order.id)
  const meant = named ? namedInstances(all, [...new Set(named)]) : all
  const having = (status: InstanceInLife['status']) => meant.filter((instance) => instance.status === status)
  const active = having('active')
  const [expired] = having('expired')
  if (expired && (named || (active.length === 0 && order.status === 'expired')))
    throw wrongState(order, expired)
  const released = having('released')
  const last = Math.max(...released.map(({ cancellationId }) => cancellationId ?? 0))
  return { active, released: released.filter(({ cancellationId }) => cancellationId === last) }
}

/** Until when what was paid for an order's proxies comes back: the window begins with the order (contract 5). */
export function refundUntil({ createdAt, refundHours }: OrderInLife): Date {
  return new Date(new Date(createdAt).getTime() + refundHours * HOUR_MS)
}

/** SQL on `instances`: what comes back for a proxy that is released now, which is all that was paid for it, renewals included, or nothing. */
export function refundOf(order: OrderInLife, now: Date): Prisma.Sql {
  return now <= refundUntil(order)
    ? Prisma.sql`${order.unitPrice} * ${order.periods}
        + coalesce((SELECT sum(amount) FROM renewed_instances n WHERE n.instance_id = instances.id), 0)`
    : Prisma.sql`0`
}
