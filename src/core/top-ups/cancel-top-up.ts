import type { Actor } from '../access.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import { expireTopUps } from './expire-top-ups.ts'
import { refreshScreens } from './refresh-screens.ts'
import { getTopUp, readTopUp, type TopUp } from './top-up.ts'

/**
 * Cancels a top-up that awaits its payment (contract 8). The chain is read first: a payment under way is not cancelled. Its
 * amount stays reserved, and a payment that comes all the same is credited.
 *
 * @throws order_not_found, payment_in_progress, invalid_state (data: status)
 */
export async function cancelTopUp(deps: CoreDeps, actor: Actor, orderNo: string): Promise<TopUp> {
  const before = await getTopUp(deps, actor, orderNo)
  if (before.status === 'pending') await deps.topUps?.scanner.fresh()
  await expireTopUps(deps)
  const topUp = await deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const cancelled = await tx.$executeRaw`
      UPDATE top_ups SET status = 'cancelled', cancelled_at = ${now}, updated_at = ${now}
      WHERE order_no = ${orderNo} AND status = 'pending'`
    if (cancelled > 0) await refreshScreens(deps, tx, orderNo, 'cancelled')
    return readTopUp(tx, orderNo)
  })
  deps.jobs.wake()
  if (topUp.status === 'cancelled') return topUp
  const code = topUp.status === 'confirming' ? 'payment_in_progress' : 'invalid_state'
  throw new ServiceError(code, { data: { status: topUp.status } })
}
