import { Prisma } from '../../generated/prisma/client.ts'
import type { z } from 'zod'
import type { Actor } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { parseInput } from '../errors.ts'
import { balanceOf } from '../ledger/book-entry.ts'
import type { Micros } from '../money.ts'
import { CancellationInput } from './cancel-static-order.ts'
import { meantInstances, refundOf, refundUntil } from './cancellation-terms.ts'
import { findStaticOrder } from './find-static-order.ts'

export interface CancellationQuote {
  /** Numbers of the proxies that would be released. */
  readonly instances: readonly string[]
  readonly refundAmount: Micros
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
  const { active } = await meantInstances(read, order, named)
  // What has just expired is not released; the loop, which expires it, comes round every few seconds only.
  const inUse = active.filter(({ expireTime }) => new Date(expireTime) > now)
  const [refund = 0] = await selectJson<Micros>(
    read,
    Prisma.sql`SELECT CAST(coalesce(sum(${refundOf(order, now)}), 0) AS TEXT) AS json FROM instances
               WHERE id IN (SELECT value FROM json_each(${JSON.stringify(inUse.map(({ id }) => id))}))`,
  )
  const balance = await balanceOf(read, order.userId)
  return {
    instances: inUse.map(({ instanceNo }) => instanceNo),
    refundAmount: refund,
    refundUntil: refundUntil(order).toISOString(),
    currency: deps.currency,
    balance,
    balanceAfter: balance + refund,
  }
}
