import { z } from 'zod'
import { ownerOf } from '../accounts/owner.ts'
import { parseInput } from '../errors.ts'
import { selectInstances } from './cancellation-terms.ts'
import { endProxies } from './cancel-static-order.ts'
import { expireDueOf } from './expire-instances.ts'
import { findStaticOrder } from './find-static-order.ts'
import { MAX_INSTANCES } from './renewal-input.ts'
import { happened } from '../facts/happened.ts'
import { InstanceNo } from '../identifiers.ts'
import type { OrderDeps } from './deps.ts'

export const EndInput = z.object({
  orderNo: z.string(),
  /** Numbers of proxies; without them all active ones of the order. */
  instances: z.array(InstanceNo).min(1).max(MAX_INSTANCES).nullish(),
  /** Reason that the customer is shown. */
  reason: z.string().trim().min(1).max(255),
})

interface Ended {
  readonly orderNo: string
  readonly username: string
  /** Numbers of the proxies that were ended now. */
  readonly ended: readonly string[]
}

/**
 * Ends proxies of a customer, for the operator, before their time and without a refund (rules 16.6). The customer is told the reason.
 * A repetition ends nothing.
 *
 * @throws order_not_found (also an order of traffic), instance_not_found, order_processing, invalid_state (failed or expired),
 *   validation_error
 */
export async function endUnasked(deps: OrderDeps, input: z.input<typeof EndInput>): Promise<Ended> {
  const { orderNo, instances, reason } = parseInput(EndInput, input)
  const ended = await deps.db.write(async (tx) => {
    const owner = await ownerOf(tx, { orderNo })
    await expireDueOf(tx, deps.clock.now(), (await findStaticOrder(tx, owner, { orderNo })).id)
    const order = await findStaticOrder(tx, owner, { orderNo })
    const { active } = await selectInstances(tx, order, instances)
    const numbers = active.map(({ instanceNo }) => instanceNo)
    const done = { orderNo: order.orderNo, username: owner.username, ended: numbers }
    if (numbers.length === 0) return done
    const unpaid = { amount: 0, shares: [] }
    const ending = { order, instances: active, callerId: owner.id, reason }
    const cancelNo = await endProxies(deps, tx, ending, unpaid)
    const told = { userId: owner.id, orderNo: order.orderNo, count: numbers.length, reason }
    happened(tx, { kind: 'proxies.ended', cancelNo, ...told })
    return done
  })
  return ended
}
