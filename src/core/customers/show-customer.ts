import { z } from 'zod'
import { AccountStatus, type Funding, Role } from '../../generated/prisma/enums.ts'
import { usernameKey } from '../usernames.ts'
import { ServiceError } from '../errors.ts'
import type { Bytes } from '../bytes.ts'
import { type Held, Money, Time } from '../record.ts'
import { bytesLeft } from '../traffic/traffic-left.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** What is shown of a customer beside its orders, proxies, traffic and chats. */
export const CUSTOMER = {
  id: z.int(),
  username: z.string(),
  role: z.enum(Role),
  status: z.enum(AccountStatus),
  /** False until the link in the activation mail was opened. */
  activated: z.boolean(),
  /** Username of the agent; null for an agent, and for a customer of the shop. */
  agent: z.string().nullable(),
  /** That of an agent; null for others. */
  level: z.int().nullable(),
  email: z.string(),
  phone: z.string(),
  remark: z.string(),
  balance: Money,
  totalRecharge: Money,
  totalConsumption: Money,
  /** Number of orders of proxies and of traffic. */
  orders: z.int(),
  activeProxies: z.int(),
  topUps: z.int(),
  /** Number of sub-users that are not deleted. */
  subUsers: z.int(),
  createdAt: Time,
}

/** An account as the operator sees it; it may be that of an agent. */
export interface Customer extends Held<typeof CUSTOMER> {
  /** Whether spending is frozen, because its books do not balance. */
  readonly frozen: boolean
  /** That of an agent; null for others. */
  readonly funding: Funding | null
  /** Bytes left in all products together. */
  readonly trafficLeft: Bytes
  /** Number of chats in which it is logged in. */
  readonly chats: number
}

/**
 * Reads the page of a customer: the main figures of any account, a deleted one included (rules 16.2).
 *
 * @param which its username or id
 * @throws user_not_found
 */
export async function showCustomer({ db }: Essentials, which: string | number): Promise<Customer> {
  const customer = await db.read.$kysely
    .selectFrom('accounts as a')
    .leftJoin('accounts as g', 'g.id', 'a.agentId')
    .select(['a.id', 'a.username', 'a.role', 'a.status', 'a.activated', 'a.frozen', 'a.balance'])
    .select(['a.totalRecharge', 'a.totalConsumption', 'a.level', 'a.funding', 'g.username as agent'])
    .select(['a.email', 'a.phone', 'a.remark', 'a.createdAt'])
    .select(({ selectFrom, fn, lit }) => {
      const count = fn.countAll<number>().as('count')
      return [
        selectFrom('instances as i')
          .select(count)
          .whereRef('i.userId', '=', 'a.id')
          .where('i.status', '=', 'active')
          .$asScalar()
          .$notNull()
          .as('activeProxies'),
        selectFrom('staticOrders as o')
          .select(count)
          .whereRef('o.userId', '=', 'a.id')
          .$asScalar()
          .$notNull()
          .as('staticOrders'),
        selectFrom('dynamicOrders as d')
          .select(count)
          .whereRef('d.userId', '=', 'a.id')
          .$asScalar()
          .$notNull()
          .as('dynamicOrders'),
        selectFrom('topUps as p')
          .select(count)
          .whereRef('p.userId', '=', 'a.id')
          .$asScalar()
          .$notNull()
          .as('topUps'),
        selectFrom('traffic as t')
          .select((t) => t.fn.coalesce(t.fn.sum<number>(bytesLeft()), lit(0)).as('bytes'))
          .whereRef('t.userId', '=', 'a.id')
          .$asScalar()
          .$notNull()
          .as('trafficLeft'),
        selectFrom('logIns as l')
          .select(count)
          .whereRef('l.accountId', '=', 'a.id')
          .whereRef('l.accountVersion', '=', 'a.tokenVersion')
          .$asScalar()
          .$notNull()
          .as('chats'),
        selectFrom('accounts as u')
          .select(count)
          .whereRef('u.agentId', '=', 'a.id')
          .where('u.status', '<>', 'deleted')
          .$asScalar()
          .$notNull()
          .as('subUsers'),
      ]
    })
    .where(({ eb }) =>
      typeof which === 'number'
        ? eb('a.id', '=', which)
        : eb('a.usernameKey', '=', usernameKey(which.trim())),
    )
    .executeTakeFirst()
  if (!customer) throw new ServiceError('user_not_found')
  const { staticOrders, dynamicOrders, ...figures } = customer
  return { ...figures, orders: staticOrders + dynamicOrders }
}
