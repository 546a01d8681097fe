import { queueAutoRenewals } from './auto-renew-static-order.ts'
import { expireInstances, returnExpired } from './expire-instances.ts'
import type { OrderDeps } from './deps.ts'

/**
 * Runs the steps of the loop for static orders. Their order matters: automatic renewals are queued before proxies expire, and the
 * grace of expired ones ends last. Each step first checks by an index whether there is anything to do, and can be interrupted and repeated
 * at any point.
 */
export async function sweepStaticOrders(deps: OrderDeps): Promise<void> {
  await queueAutoRenewals(deps)
  await expireInstances(deps)
  await returnExpired(deps)
}
