import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Actor } from '../access/actor.ts'
import { actorOf } from '../accounts/authenticate.ts'
import { compiled } from '../database/compiled.ts'
import type { Readable } from '../database/database.ts'
import { isTrue, literal } from '../database/dialect.ts'
import { termOf } from '../term.ts'
import { type InstanceInLife, instancesOf, type OrderInLife } from './find-static-order.ts'
import type { WantedRenewal } from './renewal-terms.ts'

/** A span of expiry times: later than `after`, and not later than `until`. */
export interface ExpirySpan<Time = string> {
  readonly after: Time
  readonly until: Time
}

const { eb, ref, and } = expressionBuilder<{ i: DB['instances'] }, 'i'>()

/** Condition on instances `i`: they renew themselves and expire within the span. */
export function renewsWithin({ after, until }: ExpirySpan<Expression<string>>): Expression<SqlBool> {
  return and([
    eb('i.status', '=', literal('active')),
    isTrue(ref('i.autoRenew')),
    eb('i.expireTime', '>', after),
    eb('i.expireTime', '<=', until),
  ])
}

/** Reads the proxies of an order that renew themselves, expire within the span, and have no renewal or replacement in processing. */
export async function selfRenewing(
  db: Readable,
  order: OrderInLife,
  { after, until }: ExpirySpan,
): Promise<InstanceInLife[]> {
  const instances = await instancesOf(db, order.id)
  return instances.filter(
    ({ status, autoRenew, expireTime, waiting }) =>
      status === 'active' && autoRenew && !waiting && expireTime > after && expireTime <= until,
  )
}

/**
 * Returns the terms of an automatic renewal: the order's user pays, and the proxies are renewed by the term of the order.
 *
 * @throws user_not_found, account_disabled, account_not_activated
 */
export async function renewalOf(
  db: Readable,
  order: OrderInLife,
  instances: readonly InstanceInLife[],
): Promise<{ readonly buyer: Actor; readonly wanted: readonly WantedRenewal[] }> {
  const [user] = await versionOf(db, { id: order.userId })
  const term = termOf(order.duration, order.unit, order.cycleTimes)
  return {
    buyer: await actorOf(db, order.userId, user?.version ?? 0),
    wanted: instances.map((instance) => ({ instance, term })),
  }
}

const versionOf = compiled<{ id: number }>()((db, { id }) =>
  db.selectFrom('accounts').select('tokenVersion as version').where('id', '=', id),
)
