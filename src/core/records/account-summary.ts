import type { Actor } from '../access/actor.ts'
import { IS_DEAD } from '../checks/health.ts'
import { compiled } from '../database/compiled.ts'
import { ServiceError } from '../errors.ts'
import type { Micros } from '../money.ts'
import { expiresSoon, soonFrom } from '../orders/list-static-orders.ts'
import type { Bytes } from '../bytes.ts'
import { bytesLeft } from '../traffic/traffic-left.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** The main figures of one's own account. */
export interface AccountSummary {
  readonly username: string
  readonly role: Actor['role']
  readonly balance: Micros
  readonly currency: string
  readonly activeProxies: number
  /** Active proxies that are dead. */
  readonly deadProxies: number
  /** Active proxies that expire within a week. */
  readonly expiringSoon: number
  /** Proxies of `expiringSoon` that are not renewed automatically. */
  readonly toRenew: number
  /** Earliest expiry time of the proxies of `toRenew`; null for none. */
  readonly nextExpiry: string | null
  /** Traffic of all products that is neither used nor moved to sub-accounts. */
  readonly trafficLeft: Bytes
  readonly trafficBought: Bytes
  /** Number of the oldest top-up that is not paid yet; null for none. */
  readonly openTopUp: string | null
  /** Orders of static proxies that are not delivered yet. */
  readonly ordersUnderWay: number
  /** Questions to support that are not closed. */
  readonly openTickets: number
  /** Whether the account ever had an order. */
  readonly hasOrdered: boolean
  /** Number of direct sub-users of an agent, deleted ones left out. */
  readonly subUsers: number
}

/**
 * Reads the main figures of the actor's own account. They are shown often, so one statement reads them, and it reads no ledger entries.
 *
 * @throws user_not_found
 */
export async function accountSummary(
  { db, clock, currency }: Essentials,
  actor: Actor,
): Promise<AccountSummary> {
  const [summary] = await findSummary(db.read, { id: actor.id, soon: soonFrom(clock.now()) })
  if (!summary) throw new ServiceError('user_not_found')
  const { orderedStatic, orderedDynamic, ...figures } = summary
  return { ...figures, hasOrdered: Boolean(orderedStatic) || Boolean(orderedDynamic), currency }
}

const findSummary = compiled<{ id: number; soon: string }>()((db, { id, soon }) =>
  db
    .selectFrom('accounts as a')
    .select(['a.username', 'a.role', 'a.balance'])
    .select(({ selectFrom, exists }) => {
      const proxies = selectFrom('instances as i')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('i.userId', '=', 'a.id')
      const toRenew = selectFrom('instances as i')
        .whereRef('i.userId', '=', 'a.id')
        .where(expiresSoon(soon))
        .where('i.autoRenew', '=', false)
      const traffic = selectFrom('traffic as t').whereRef('t.userId', '=', 'a.id')
      return [
        proxies.where('i.status', '=', 'active').$asScalar().$notNull().as('activeProxies'),
        proxies.where(IS_DEAD).$asScalar().$notNull().as('deadProxies'),
        proxies.where(expiresSoon(soon)).$asScalar().$notNull().as('expiringSoon'),
        toRenew
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .$asScalar()
          .$notNull()
          .as('toRenew'),
        toRenew.select(({ fn }) => fn.min('i.expireTime').as('time')).as('nextExpiry'),
        traffic
          .select(({ fn, lit }) => fn.coalesce(fn.sum<number>(bytesLeft()), lit(0)).as('bytes'))
          .$asScalar()
          .$notNull()
          .as('trafficLeft'),
        traffic
          .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('t.totalBytes'), lit(0)).as('bytes'))
          .$asScalar()
          .$notNull()
          .as('trafficBought'),
        selectFrom('topUps as w')
          .select(({ fn }) => fn.min('w.orderNo').as('number'))
          .whereRef('w.userId', '=', 'a.id')
          .where('w.status', 'in', ['pending', 'confirming'])
          .as('openTopUp'),
        selectFrom('staticOrders as o')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('o.userId', '=', 'a.id')
          .where('o.status', '=', 'processing')
          .$asScalar()
          .$notNull()
          .as('ordersUnderWay'),
        selectFrom('tickets as k')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('k.accountId', '=', 'a.id')
          .where('k.status', '<>', 'closed')
          .$asScalar()
          .$notNull()
          .as('openTickets'),
        exists(selectFrom('staticOrders as o').select('o.id').whereRef('o.userId', '=', 'a.id')).as(
          'orderedStatic',
        ),
        exists(selectFrom('dynamicOrders as o').select('o.id').whereRef('o.userId', '=', 'a.id')).as(
          'orderedDynamic',
        ),
        selectFrom('accounts as u')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('u.agentId', '=', 'a.id')
          .where('u.status', '<>', 'deleted')
          .$asScalar()
          .$notNull()
          .as('subUsers'),
      ]
    })
    .where('a.id', '=', id),
)
