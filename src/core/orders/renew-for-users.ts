import { z } from 'zod'
import { type Actor, maySee } from '../access/actor.ts'
import { SubUserIds } from '../accounts/adjust-sub-users.ts'
import { HEALTH } from '../checks/health.ts'
import type { Readable } from '../database/database.ts'
import { listOf, literal } from '../database/dialect.ts'
import { type ErrorCode, parseInput, ServiceError } from '../errors.ts'
import { type Micros, toNumber } from '../money.ts'
import { RequestKey } from '../requests/request-key.ts'
import type { Unit } from '../term.ts'
import type { Tell } from '../tell.ts'
import { nextTurn } from '../turns.ts'
import { quoteRenewal } from './quote-renewal.ts'
import { renewStaticOrder } from './renew-static-order.ts'
import type { OrderDeps } from './deps.ts'

/** Limit of orders that one request renews; the others are left for another request. */
export const MAX_ORDERS_AT_ONCE = 100

const RenewalOfUsers = z.object({
  /** The actor, or direct sub-users of it. */
  userIds: SubUserIds,
  /** Number of days within which the proxies to renew expire. */
  withinDays: z.int().min(1).max(30),
})

const Confirmed = RenewalOfUsers.extend({
  /** Idempotency key; with the id of an order it makes the application order number of its renewal. */
  requestKey: RequestKey.max(40),
  /** The most that all of it may cost, in units of the currency. */
  totalAmount: z.number().nonnegative(),
})

/** The proxies of one order that expire soon. */
export interface RenewalOfUser {
  readonly orderNo: string
  readonly username: string
  readonly instances: readonly string[]
  /** What it costs; undefined where it cannot be renewed. */
  readonly amount: Micros | undefined
  /** Why it cannot be renewed; `insufficient_balance` where the balance does not cover it after the renewals before it. */
  readonly error: ErrorCode | undefined
}

export interface RenewalsOfUsers {
  readonly renewals: readonly RenewalOfUser[]
  /** Total of what can be renewed. */
  readonly totalAmount: Micros
  /** Whether there are orders beyond {@link MAX_ORDERS_AT_ONCE}. */
  readonly more: boolean
}

/**
 * Calculates what renewing all proxies that expire soon by one billing period would cost each user, without changes (rules 5.24).
 *
 * @throws validation_error
 */
export async function quoteRenewalsOfUsers(
  deps: OrderDeps,
  actor: Actor,
  input: z.input<typeof RenewalOfUsers>,
): Promise<RenewalsOfUsers> {
  const { planned, more } = await plan(deps, actor, parseInput(RenewalOfUsers, input))
  return summedUp(
    planned.map(({ renewal }) => renewal),
    more,
  )
}

/**
 * Renews what {@link quoteRenewalsOfUsers} shows, order by order, each paid by its user (rules 5.24). After a kill, the same request
 * goes on with the orders that are left: each order is renewed once under one key.
 *
 * @param tell hears of each order that is dealt with
 * @returns for each order what was paid, or why it was not renewed
 * @throws price_changed when it would cost more than `totalAmount`, validation_error
 */
export async function renewForUsers(
  deps: OrderDeps,
  actor: Actor,
  input: z.input<typeof Confirmed>,
  tell: Tell = () => {},
): Promise<RenewalsOfUsers> {
  const { requestKey, totalAmount: most, ...request } = parseInput(Confirmed, input)
  const { planned, more } = await plan(deps, actor, request)
  const renewals = planned.map(({ renewal }) => renewal)
  const { totalAmount } = summedUp(renewals, more)
  if (toNumber(totalAmount) > most)
    throw new ServiceError('price_changed', { data: { total_amount: toNumber(totalAmount) } })
  for (const [index, { order, renewal }] of planned.entries()) {
    tell(index, planned.length)
    if (renewal.error !== undefined || renewal.amount === undefined) continue
    try {
      const { amount } = await renewStaticOrder(deps, actor, {
        ...renewalOf(order),
        totalAmount: toNumber(renewal.amount),
        appOrderNo: `many-${requestKey}-${order.id}`,
      })
      renewals[index] = { ...renewal, amount }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      renewals[index] = { ...renewal, error: error.code }
    }
  }
  return summedUp(renewals, more)
}

interface Planned {
  readonly order: ExpiringOrder
  readonly renewal: RenewalOfUser
}

/** Prices each order, and marks those that the balance of their user does not cover after the orders before them. */
async function plan(
  deps: OrderDeps,
  actor: Actor,
  { userIds, withinDays }: z.output<typeof RenewalOfUsers>,
): Promise<{ planned: Planned[]; more: boolean }> {
  const until = new Date(deps.clock.now().getTime() + withinDays * 86_400_000)
  const orders = await expiringOrders(deps.db.read, actor, userIds, until)
  const left = new Map<string, Micros>()
  const planned: Planned[] = []
  for (const order of orders.slice(0, MAX_ORDERS_AT_ONCE)) {
    await nextTurn()
    const { orderNo, username, instances } = order
    const facts = { orderNo, username, instances }
    try {
      const { totalAmount: amount, balance } = await quoteRenewal(deps, actor, renewalOf(order))
      const after = (left.get(username) ?? balance) - amount
      if (after >= 0) left.set(username, after)
      const error = after < 0 ? 'insufficient_balance' : undefined
      planned.push({ order, renewal: { ...facts, amount, error } })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      planned.push({ order, renewal: { ...facts, amount: undefined, error: error.code } })
    }
  }
  return { planned, more: orders.length > MAX_ORDERS_AT_ONCE }
}

function summedUp(renewals: readonly RenewalOfUser[], more: boolean): RenewalsOfUsers {
  const paid = renewals.filter(({ error }) => error === undefined)
  return { renewals, totalAmount: paid.reduce((sum, { amount = 0 }) => sum + amount, 0), more }
}

interface ExpiringOrder {
  readonly id: number
  readonly orderNo: string
  readonly username: string
  readonly periodUnit: number
  readonly periodLength: number
  readonly instances: string[]
}

/** Returns the input that renews an order by one billing period of its product. */
function renewalOf({ id, instances, periodLength, periodUnit }: ExpiringOrder) {
  return {
    order: { id },
    instances: instances.map((instanceNo) => ({ instanceNo })),
    duration: periodLength,
    unit: periodUnit as Unit,
  }
}

/** Reads the orders whose proxies expire up to a time, the earliest expiry first; dead proxies are left out. */
async function expiringOrders(
  db: Readable,
  { id, role }: Actor,
  userIds: readonly number[],
  until: Date,
): Promise<ExpiringOrder[]> {
  const rows = await db.$kysely
    .selectFrom('instances as i')
    .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .innerJoin('accounts as a', 'a.id', 'i.userId')
    .select(['o.id', 'o.orderNo', 'a.username', 'p.periodUnit', 'p.periodLength', 'i.instanceNo'])
    .where(({ ref }) => maySee({ role, id }, ref('i.userId')))
    .where('i.userId', 'in', listOf(userIds))
    .where('i.status', '=', literal('active'))
    .where('i.expireTime', '<=', until.toISOString())
    .where(({ eb }) => eb(HEALTH, '<>', literal('dead')))
    .orderBy('i.expireTime')
    .orderBy('i.id')
    .execute()
  const orders = new Map<number, ExpiringOrder>()
  for (const { instanceNo, ...order } of rows) {
    const known = orders.get(order.id) ?? { ...order, instances: [] }
    known.instances.push(instanceNo)
    orders.set(order.id, known)
  }
  return [...orders.values()]
}
