import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import { listOf } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { findStaticOrder, instancesOf, namedInstances, wrongState } from './find-static-order.ts'
import { anyRenews } from './order-of-instances.ts'
import { getStaticOrder, type StaticOrder } from './static-order.ts'
import { MAX_INSTANCES } from './renewal-input.ts'
import { InstanceNo } from '../identifiers.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const AutoRenewInput = z.object({
  /** The order number or the application order number. */
  orderNo: z.string(),
  autoRenew: z.boolean(),
  /** Numbers of proxies; without them, all of the order, also those that are not delivered yet. */
  instances: z.array(InstanceNo).min(1).max(MAX_INSTANCES).nullish(),
})

/**
 * Sets whether proxies renew themselves shortly before they expire (rules 5.8). The flag of the order says whether any of its proxies
 * does.
 *
 * @throws order_not_found, instance_not_found, order_processing, invalid_state (failed, expired, cancelled; a proxy that is not
 *   active), validation_error
 */
export async function setAutoRenew(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof AutoRenewInput>,
): Promise<StaticOrder> {
  const { orderNo, autoRenew, instances: named } = parseInput(AutoRenewInput, input)
  const id = await deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const order = await findStaticOrder(tx, actor, { orderNo })
    const delivered = ['active', 'partial'].includes(order.status)
    if (!delivered && (named || order.status !== 'processing')) throw wrongState(order)
    const all = await instancesOf(tx, order.id)
    const selected = named ? namedInstances(all, named) : all.filter(({ status }) => status === 'active')
    const inactive = selected.find(({ status }) => status !== 'active')
    if (inactive) throw wrongState(order, inactive)

    const orderId = order.id
    const ids = selected.map((instance) => instance.id)
    await setFlagOfProxies(tx, { orderId, autoRenew, now, ids })
    await setFlagOfOrder(tx, { some: named !== null && named !== undefined }, { orderId, autoRenew, now })
    return order.id
  })
  return getStaticOrder(deps, actor, { id })
}

const setFlagOfProxies = compiled<{
  orderId: number
  autoRenew: boolean
  now: Date
  ids: readonly number[]
}>()((db, { orderId, autoRenew, now, ids }) =>
  db
    .updateTable('instances')
    .set({ autoRenew, updatedAt: now })
    .where('orderId', '=', orderId)
    .where('status', '=', 'active')
    .where('id', 'in', listOf(ids)),
)

/** @param some only some proxies were named: the flag of the order is then calculated from all of them */
const setFlagOfOrder = compiledByShape<
  { some: boolean },
  { orderId: number; autoRenew: boolean; now: Date }
>()((db, { some }, { orderId, autoRenew, now }) =>
  db
    .updateTable('staticOrders')
    .set({ updatedAt: now, autoRenew: some ? anyRenews(orderId) : autoRenew })
    .where('id', '=', orderId),
)
