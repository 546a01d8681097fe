import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { listOf } from '../database/dialect.ts'
import { parseInput } from '../errors.ts'
import { findStaticOrder, wrongState } from './find-static-order.ts'
import { anyRenews } from './order-of-instances.ts'
import { proxiesNamed } from './proxies-named.ts'
import { TOGETHER } from './renewable-proxies.ts'
import { AutoRenewInput } from './set-auto-renew.ts'
import { InstanceNo } from '../identifiers.ts'
import type { Essentials } from '../jobs/essentials.ts'

export const AutoRenewTogetherInput = AutoRenewInput.pick({ autoRenew: true }).extend({
  instances: z.array(InstanceNo).min(1).max(TOGETHER.proxies),
})

/**
 * Sets whether proxies renew themselves, whatever orders they came with (rules 5.8, 5.30): for all of them or for none.
 *
 * @returns number of the proxies
 * @throws instance_not_found, also when it is somebody else's; invalid_state (a proxy that is not active), validation_error
 */
export async function setAutoRenewTogether(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof AutoRenewTogetherInput>,
): Promise<number> {
  const { instances, autoRenew } = parseInput(AutoRenewTogetherInput, input)
  return deps.db.write(async (tx) => {
    const found = await proxiesNamed(tx, actor, instances)
    const ended = found.find(({ status }) => status !== 'active')
    if (ended) throw wrongState(await findStaticOrder(tx, actor, { id: ended.orderId }), ended)
    const now = deps.clock.now()
    await setFlagOfProxies(tx, { ids: found.map(({ id }) => id), autoRenew, now })
    const orderIds = [...new Set(found.map(({ orderId }) => orderId))]
    await setFlagOfOrders(tx, { orderIds, now })
    return found.length
  })
}

const setFlagOfProxies = compiled<{ ids: readonly number[]; autoRenew: boolean; now: Date }>()(
  (db, { ids, autoRenew, now }) =>
    db.updateTable('instances').set({ autoRenew, updatedAt: now }).where('id', 'in', listOf(ids)),
)

const setFlagOfOrders = compiled<{ orderIds: readonly number[]; now: Date }>()((db, { orderIds, now }) =>
  db
    .updateTable('staticOrders')
    .set(({ ref }) => ({ updatedAt: now, autoRenew: anyRenews(ref('staticOrders.id')) }))
    .where('id', 'in', listOf(orderIds)),
)
