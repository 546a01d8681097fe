import type { Actor } from '../access.ts'
import { actorOf } from '../accounts/authenticate.ts'
import type { Readable } from '../database/database.ts'
import { termOf } from '../term.ts'
import { type InstanceInLife, instancesOf, type OrderInLife } from './find-static-order.ts'
import type { WantedRenewal } from './renewal-terms.ts'

/** Expiry times: later than the one, and no later than the other. */
export interface ExpirySpan {
  readonly after: Date
  readonly until: Date
}

/** The proxies of an order that renew themselves and expire within the span. */
export async function selfRenewing(
  db: Readable,
  order: OrderInLife,
  { after, until }: ExpirySpan,
): Promise<InstanceInLife[]> {
  const instances = await instancesOf(db, order.id)
  return instances.filter(({ status, autoRenew, expireTime }) => {
    const end = new Date(expireTime)
    return status === 'active' && autoRenew && end > after && end <= until
  })
}

/**
 * Who pays when proxies renew themselves, and for how long: the order's user, for the term that it was bought for.
 *
 * @throws user_not_found, account_disabled, account_not_activated
 */
export async function renewalOf(
  db: Readable,
  order: OrderInLife,
  instances: readonly InstanceInLife[],
): Promise<{ readonly buyer: Actor; readonly wanted: readonly WantedRenewal[] }> {
  const [user] = await db.$queryRaw<
    { version: number }[]
  >`SELECT token_version AS version FROM accounts WHERE id = ${order.userId}`
  const term = termOf(order.duration, order.unit, order.cycleTimes)
  return {
    buyer: await actorOf(db, order.userId, Number(user?.version)),
    wanted: instances.map((instance) => ({ instance, term })),
  }
}
