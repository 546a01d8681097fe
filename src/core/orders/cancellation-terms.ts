import type { Readable } from '../database/database.ts'
import {
  type InstanceInLife,
  instancesOf,
  namedInstances,
  type OrderInLife,
  wrongState,
} from './find-static-order.ts'

/**
 * The proxies that a cancellation means: those that it names, or all. Quote and cancellation both ask here.
 *
 * @returns those that it releases, and those that the last cancellation of any of them has released: a repetition is about these
 * @throws instance_not_found, order_processing, invalid_state (failed or expired)
 */
export async function selectInstances(
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
