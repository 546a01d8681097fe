import type { Actor } from '../access/actor.ts'
import { ServiceError } from '../errors.ts'
import { once } from '../requests/once.ts'
import { scannerOf } from './create-top-up.ts'
import { expireTopUps } from './expire-top-ups.ts'
import { getTopUp, readTopUp, type TopUp } from './top-up.ts'
import { happened } from '../facts/happened.ts'
import type { TopUpDeps } from './deps.ts'

/**
 * Cancels a top-up that awaits its payment (rules 8.10). The chain is read first: a top-up whose payment is being confirmed is not
 * cancelled. The amount stays reserved, and a payment that arrives nevertheless is credited.
 *
 * @param number of the top-up, its own or the one that the actor gave it
 * @param requestKey idempotency key: a repetition with it gets the first answer
 * @throws order_not_found, payment_in_progress, invalid_state (data: status), idempotency_conflict
 */
export async function cancelTopUp(
  deps: TopUpDeps,
  actor: Actor,
  number: string,
  requestKey?: string,
): Promise<TopUp & { readonly replayed: boolean }> {
  const { orderNo, status, network } = await getTopUp(deps, actor, number)
  if (status === 'pending') await scannerOf(deps, network)?.fresh()
  await expireTopUps(deps)
  const request = { key: requestKey, kind: 'cancel_top_up', input: { orderNo } }
  const cancelled = await once(deps, actor, request, async (tx) => {
    const now = deps.clock.now()
    const changed = await tx.$kysely
      .updateTable('topUps')
      .set({ status: 'cancelled', cancelledAt: now, updatedAt: now })
      .where('orderNo', '=', orderNo)
      .where('status', '=', 'pending')
      .returning(['orderNo', 'userId'])
      .executeTakeFirst()
    if (changed) happened(tx, { kind: 'top_up.cancelled', ...changed })
    const topUp = await readTopUp(tx, orderNo)
    if (topUp.status === 'cancelled') return topUp
    const code = topUp.status === 'confirming' ? 'payment_in_progress' : 'invalid_state'
    throw new ServiceError(code, { data: { status: topUp.status } })
  })
  return cancelled
}
