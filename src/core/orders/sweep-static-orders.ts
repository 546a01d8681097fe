import type { CoreDeps } from '../deps.ts'
import { queueAutoRenewals } from './auto-renew-static-order.ts'
import { expireInstances, returnExpired } from './expire-instances.ts'

/**
 * What time does to static orders, in the order in which it matters: proxies that renew themselves get the chance before
 * they expire, expired ones leave the grace. Each step looks by an index whether there is anything to do, writes only
 * then, and can be cut off and repeated at any line.
 */
export async function sweepStaticOrders(deps: CoreDeps): Promise<void> {
  await queueAutoRenewals(deps)
  await expireInstances(deps)
  await returnExpired(deps)
}
