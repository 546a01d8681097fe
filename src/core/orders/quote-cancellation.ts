import type { z } from 'zod'
import type { Actor } from '../access.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import type { Micros } from '../money.ts'
import { CancellationInput } from './cancel-static-order.ts'
import { selectInstances } from './cancellation-terms.ts'
import { findStaticOrder } from './find-static-order.ts'
import { refundFor, refundUntil } from './refund-terms.ts'

export interface CancellationQuote {
  /** Numbers of the proxies that would be released. */
  readonly instances: readonly string[]
  readonly refundAmount: Micros
  /** What is kept of their price, because the price of each is higher for the number that stays. */
  readonly keptBack: Micros
  /** Proxies of the order that are not released. */
  readonly staying: number
  /** Until when what was paid comes back; later nothing does. */
  readonly refundUntil: string
  readonly currency: string
  /** Of the order's user, who gets the refund. */
  readonly balance: Micros
  readonly balanceAfter: Micros
}

/**
 * What a cancellation would release and give back, without changing anything.
 *
 * @throws as the cancellation
 */
export async function quoteCancellation(
  deps: CoreDeps,
  actor: Actor,
  input: z.input<typeof CancellationInput>,
): Promise<CancellationQuote> {
  const { orderNo, instances: named } = parseInput(CancellationInput, input)
  const { read } = deps.db
  const now = deps.clock.now()
  const order = await findStaticOrder(read, actor, { orderNo })
  const { active } = await selectInstances(read, order, named)
  // What has just expired is not released; the loop, which expires it, comes round every few seconds only.
  const inUse = active.filter(({ expireTime }) => new Date(expireTime) > now)
  const refund = await refundFor(read, now, order, inUse)
  const balance = await balanceOf(read, order.userId)
  return {
    instances: inUse.map(({ instanceNo }) => instanceNo),
    refundAmount: refund.amount,
    keptBack: refund.keptBack,
    staying: refund.staying,
    refundUntil: refundUntil(order).toISOString(),
    currency: deps.currency,
    balance,
    balanceAfter: balance + refund.amount,
  }
}
