import type { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { parseInput } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import type { Micros } from '../money.ts'
import { CancellationInput } from './cancel-static-order.ts'
import { selectInstances } from './cancellation-terms.ts'
import { findStaticOrder } from './find-static-order.ts'
import { refundFor, refundUntil } from './refund-terms.ts'
import type { Essentials } from '../jobs/essentials.ts'

export interface CancellationQuote {
  /** Numbers of the proxies that would be released. */
  readonly instances: readonly string[]
  readonly refundAmount: Micros
  /** Part of their price that is not refunded, because the proxies that stay are fewer and so have a higher price each. */
  readonly keptBack: Micros
  /** Proxies of the order that are not released. */
  readonly staying: number
  /** End of the refund window. */
  readonly refundUntil: string
  readonly currency: string
  /** Balance of the order's user, who gets the refund. */
  readonly balance: Micros
  readonly balanceAfter: Micros
}

/**
 * Calculates what a cancellation would release and refund, without changing anything.
 *
 * @throws as the cancellation
 */
export async function quoteCancellation(
  deps: Essentials,
  actor: Actor,
  input: z.input<typeof CancellationInput>,
): Promise<CancellationQuote> {
  const { orderNo, instances: named } = parseInput(CancellationInput, input)
  const { read } = deps.db
  const now = deps.clock.now()
  const order = await findStaticOrder(read, actor, { orderNo })
  const { active } = await selectInstances(read, order, named)
  // Proxies whose time has just passed are not released, although the loop may need some seconds to expire them.
  const notExpired = active.filter(({ expireTime }) => new Date(expireTime) > now)
  const refund = await refundFor(read, now, order, notExpired)
  const balance = await balanceOf(read, order.userId)
  return {
    instances: notExpired.map(({ instanceNo }) => instanceNo),
    refundAmount: refund.amount,
    keptBack: refund.keptBack,
    staying: refund.staying,
    refundUntil: refundUntil(order).toISOString(),
    currency: deps.currency,
    balance,
    balanceAfter: balance + refund.amount,
  }
}
