import type { Readable } from '../database/database.ts'
import {
  type InstanceInLife,
  instancesOf,
  namedInstances,
  type OrderInLife,
  stillProcessing,
  wrongState,
} from './find-static-order.ts'

/**
 * Selects the proxies of a cancellation: those that it names, or all. Used by the quote and by the cancellation.
 *
 * @returns `active`: those to release; `released`: those that the latest cancellation of any of them released, for a repetition
 * @throws instance_not_found, order_processing (the order, or a renewal or replacement of a proxy), invalid_state (failed or expired)
 */
export async function selectInstances(
  db: Readable,
  order: OrderInLife,
  named: readonly string[] | null | undefined,
): Promise<{ active: InstanceInLife[]; released: InstanceInLife[] }> {
  if (order.status === 'processing' || order.status === 'failed') throw wrongState(order)
  const all = await instancesOf(db, order.id)
  const selected = named ? namedInstances(all, [...new Set(named)]) : all
  const having = (status: InstanceInLife['status']) =>
    selected.filter((instance) => instance.status === status)
  const active = having('active')
  if (active.some(({ waiting }) => waiting)) throw stillProcessing(order.orderNo)
  const [expired] = having('expired')
  if (expired && (named || (active.length === 0 && order.status === 'expired')))
    throw wrongState(order, expired)
  const released = having('released')
  const last = Math.max(...released.map(({ cancellationId }) => cancellationId ?? 0))
  return { active, released: released.filter(({ cancellationId }) => cancellationId === last) }
}
