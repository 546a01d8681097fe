import { Prisma } from '../../generated/prisma/client.ts'
import type { Actor } from '../access.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { expiringSoon } from '../orders/list-static-orders.ts'
import type { Bytes } from '../traffic/bytes.ts'
import { TRAFFIC_LEFT } from '../traffic/traffic-left.ts'

/** What somebody wants to know first about the own account. */
export interface AccountSummary {
  readonly username: string
  readonly role: Actor['role']
  readonly balance: Micros
  readonly currency: string
  readonly activeProxies: number
  /** Those that expire within a week. */
  readonly expiringSoon: number
  /** Those of them that nobody renews unless the person does, and when the first of them expires. */
  readonly toRenew: number
  readonly nextExpiry: string | null
  /** Neither used nor handed to sub-accounts, in all products together. */
  readonly trafficLeft: Bytes
  readonly trafficBought: Bytes
  /** Whether there was ever an order. */
  readonly hasOrdered: boolean
  /** Of an agent: its direct sub-users, deleted ones left out. */
  readonly subUsers: number
}

/**
 * The few figures of the actor's own account that are shown all the time: one statement that reads no history, however long it is.
 *
 * @throws user_not_found
 */
export async function accountSummary(
  { db, clock, currency }: CoreDeps,
  actor: Actor,
): Promise<AccountSummary> {
  const [row] = await selectJson<Omit<AccountSummary, 'currency' | 'hasOrdered'> & { hasOrdered: number }>(
    db.read,
    accountSummaryQuery(actor.id, clock.now()),
  )
  if (!row) throw new ServiceError('user_not_found')
  return { ...row, hasOrdered: row.hasOrdered === 1, currency }
}

/** @param id the account */
export function accountSummaryQuery(id: number, now: Date): Prisma.Sql {
  const proxies = Prisma.sql`FROM instances i WHERE i.user_id = a.id AND`
  const expiring = Prisma.sql`${proxies} ${expiringSoon(now)}`
  const traffic = (expression: string) =>
    Prisma.sql`(SELECT coalesce(sum(${Prisma.raw(expression)}), 0) FROM traffic t WHERE t.user_id = a.id)`
  const ordered = (table: string) =>
    Prisma.sql`EXISTS (SELECT 1 FROM ${Prisma.raw(table)} o WHERE o.user_id = a.id)`
  return Prisma.sql`
    SELECT json_object(
      'username', a.username, 'role', a.role, 'balance', a.balance,
      'activeProxies', (SELECT count(*) ${proxies} i.status = 'active'),
      'expiringSoon', (SELECT count(*) ${expiring}),
      'toRenew', (SELECT count(*) ${expiring} AND i.auto_renew = 0),
      'nextExpiry', (SELECT min(i.expire_time) ${expiring} AND i.auto_renew = 0),
      'trafficLeft', ${traffic(TRAFFIC_LEFT.sql)},
      'trafficBought', ${traffic('t.total_bytes')},
      'hasOrdered', ${ordered('static_orders')} OR ${ordered('dynamic_orders')},
      'subUsers', (SELECT count(*) FROM accounts u WHERE u.agent_id = a.id AND u.status <> 'deleted')) AS json
    FROM accounts a WHERE a.id = ${id}`
}
