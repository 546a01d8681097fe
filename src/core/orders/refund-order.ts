import { z } from 'zod'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Readable, Tx } from '../database/database.ts'
import { InvalidInput, parseInput, ServiceError } from '../errors.ts'
import { numberFor, newNumber } from '../ids.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { fromNumber, type Micros } from '../money.ts'
import { agentsPartOf, type PaidByBoth } from '../promotions/discount.ts'
import { returnToAgent } from '../promotions/redeem-promo-code.ts'
import { RequestKey } from '../requests/request-key.ts'
import { endProxies, setRefunded } from './cancel-static-order.ts'
import { expireDueOf } from './expire-instances.ts'
import {
  type InstanceInLife,
  instancesOf,
  namedInstances,
  type OrderInLife,
  readStaticOrder,
  stillProcessing,
} from './find-static-order.ts'
import { paidAndRefunded } from './refund-terms.ts'
import { MAX_INSTANCES } from './renewal-input.ts'
import { happened } from '../facts/happened.ts'
import { InstanceNo } from '../identifiers.ts'
import type { OrderDeps } from './deps.ts'

const RefundScope = z.object({
  orderNo: z.string(),
  /** Numbers of proxies; without them the whole order. */
  instances: z.array(InstanceNo).min(1).max(MAX_INSTANCES).nullish(),
})

export const RefundInput = RefundScope.extend({
  /** In units of the currency; without it everything that may be given back. */
  amount: z
    .number()
    .refine((value) => value > 0 && fromNumber(value) !== undefined, { error: 'not_an_amount' })
    .nullish(),
  /** Whether the proxies, as far as they are active, end with it. */
  release: z.boolean().default(false),
  /** Reason that the customer is shown. */
  reason: z.string().trim().min(1).max(255),
  /** With a key, a repetition books nothing and gets the first answer. */
  requestKey: RequestKey.nullish(),
})

/** What may be given back for an order, or for some of its proxies. */
export interface Refundable {
  readonly orderNo: string
  readonly type: 'static' | 'dynamic'
  readonly userId: number
  readonly username: string
  readonly paid: Micros
  readonly refunded: Micros
  /** What may still be given back. */
  readonly most: Micros
  /** Number of active proxies, which `release` would end. */
  readonly active: number
}

export interface BookedRefund {
  readonly refundNo: string
  readonly orderNo: string
  readonly userId: number
  readonly username: string
  readonly amount: Micros
  readonly balance: Micros
  /** Numbers of the proxies that were ended. */
  readonly released: readonly string[]
  readonly replayed: boolean
}

/**
 * Returns what the operator may give back for an order of static proxies or of traffic (rules 4.10).
 *
 * @throws order_not_found, instance_not_found, order_processing
 */
export async function quoteRefund(
  { db }: OrderDeps,
  input: z.input<typeof RefundScope>,
): Promise<Refundable> {
  const { orderNo, instances } = parseInput(RefundScope, input)
  return refundable(await subjectOf(db.read, orderNo, instances))
}

/**
 * Gives back what was paid for an order, or a part of it, as the operator judges (rules 4.10): never more than was paid for the
 * chosen proxies, or for the traffic, and not given back yet. The amount is shared out among the proxies, the oldest first.
 *
 * @throws order_not_found, instance_not_found, order_processing, validation_error (more_than_was_paid), idempotency_conflict
 */
export async function refundOrder(
  deps: OrderDeps,
  input: z.input<typeof RefundInput>,
): Promise<BookedRefund> {
  const { orderNo, instances, amount, release, reason, requestKey } = parseInput(RefundInput, input)
  return deps.db.write(async (tx) => {
    const now = deps.clock.now()
    const refundNo = requestKey ? numberFor('G', requestKey) : newNumber('G', now)
    const asked = typeof amount === 'number' ? (fromNumber(amount) ?? 0) : undefined
    const before = requestKey ? await repeated(tx, refundNo, orderNo, asked) : undefined
    if (before) return before
    const known = await readStaticOrder(tx, orderNo)
    if (known) await expireDueOf(tx, now, known.id)
    const subject = await subjectOf(tx, orderNo, instances)
    const { most, type, userId, username } = refundable(subject)
    const wanted = asked ?? most
    if (wanted === 0 || wanted > most) throw InvalidInput.of('amount', 'more_than_was_paid')

    const isStatic = 'order' in subject
    await insertRefund(tx, {
      refundNo,
      orderId: isStatic ? subject.order.id : null,
      dynamicOrderId: isStatic ? null : subject.id,
      amount: wanted,
      reason,
      createdAt: now,
    })
    const { released, toAgent } = isStatic
      ? await giveBack(deps, tx, subject, { wanted, release, reason })
      : { released: [], toAgent: agentsPartOf(subject, wanted, most) }
    const source = `judged:${refundNo}`
    await returnToAgent(tx, now, { orderNo, amount: toAgent, source, operatorId: null })
    const { transactionNo, balanceAfter } = await bookEntry(tx, now, {
      accountId: userId,
      type: 'refund',
      amount: wanted,
      source,
      orderType: type,
      orderNo,
      operatorId: null,
      remark: reason,
    })
    const adjusted = { userId, number: transactionNo, amount: wanted, balance: balanceAfter }
    happened(
      tx,
      { kind: 'balance.adjusted', ...adjusted, remark: reason, by: 'operator' },
      { kind: 'order.refunded', orderNo, userId },
    )
    const facts = { refundNo, orderNo, userId, username, amount: wanted, balance: balanceAfter }
    return { ...facts, released, replayed: false }
  })
}

interface StaticSubject {
  readonly order: OrderInLife
  readonly username: string
  readonly instances: readonly (InstanceInLife &
    PaidByBoth & { readonly paid: Micros; readonly refunded: Micros })[]
}

interface DynamicSubject extends PaidByBoth {
  readonly id: number
  readonly orderNo: string
  readonly userId: number
  readonly username: string
  readonly paid: Micros
  readonly refunded: Micros
}

async function subjectOf(
  db: Readable,
  orderNo: string,
  named: readonly string[] | null | undefined,
): Promise<StaticSubject | DynamicSubject> {
  const order = await readStaticOrder(db, orderNo)
  if (!order) {
    const [traffic] = await findDynamic(db, { orderNo })
    if (!traffic) throw new ServiceError('order_not_found')
    if (named) throw new ServiceError('instance_not_found', { data: { instance_no: named[0] } })
    return traffic
  }
  if (order.status === 'processing') throw stillProcessing(orderNo)
  const all = await instancesOf(db, order.id)
  const chosen = named ? namedInstances(all, [...new Set(named)]) : all
  if (chosen.some(({ waiting }) => waiting)) throw stillProcessing(orderNo)
  const money = new Map((await paidAndRefunded(db, order)).map((one) => [one.id, one]))
  const [user] = await findUsername(db, { id: order.userId })
  return {
    order,
    username: user?.username ?? '',
    instances: chosen.map((one) => ({ ...one, ...NOTHING_PAID, ...money.get(one.id) })),
  }
}

const NOTHING_PAID = { paid: 0, refunded: 0, agentPaid: 0, agentReturned: 0 }

function refundable(subject: StaticSubject | DynamicSubject): Refundable {
  if (!('order' in subject)) {
    const { orderNo, userId, username, paid, refunded } = subject
    return { orderNo, type: 'dynamic', userId, username, paid, refunded, most: paid - refunded, active: 0 }
  }
  const { order, username, instances } = subject
  const paid = sum(instances.map((one) => one.paid))
  const refunded = sum(instances.map((one) => one.refunded))
  return {
    orderNo: order.orderNo,
    type: 'static',
    userId: order.userId,
    username,
    paid,
    refunded,
    most: sum(instances.map(left)),
    active: instances.filter(({ status }) => status === 'active').length,
  }
}

/**
 * Shares the amount out among the proxies of an order, and ends them if wanted.
 *
 * @returns the numbers of those that were ended, and what comes back to the agent whose balance paid a part of them (rules 13.16)
 */
async function giveBack(
  deps: OrderDeps,
  tx: Tx,
  { order, instances }: StaticSubject,
  { wanted, release, reason }: { wanted: Micros; release: boolean; reason: string },
): Promise<{ readonly released: readonly string[]; readonly toAgent: Micros }> {
  const isWhole = wanted === sum(instances.map(left))
  let [rest, toAgent] = [wanted, 0]
  const shares = instances.map((instance) => {
    const share = Math.min(rest, left(instance))
    const own = share > 0 || isWhole ? agentsPartOf(instance, share, left(instance)) : 0
    rest -= share
    toAgent += own
    return { id: instance.id, refunded: instance.refunded + share, returned: instance.agentReturned + own }
  })
  const active = release ? instances.filter(({ status }) => status === 'active') : []
  // The money is in an entry of its own: the cancellation gives nothing back.
  const ended = { order, instances: active, callerId: order.userId, reason }
  if (active.length > 0) await endProxies(deps, tx, ended, { amount: 0, shares: [] })
  await setRefunded(tx, { shares })
  await addRefunded(tx, { orderId: order.id, amount: wanted, now: deps.clock.now() })
  return { released: active.map(({ instanceNo }) => instanceNo), toAgent }
}

function left({ paid, refunded }: { readonly paid: Micros; readonly refunded: Micros }): Micros {
  return Math.max(0, paid - refunded)
}

function sum(amounts: readonly Micros[]): Micros {
  return amounts.reduce((total, amount) => total + amount, 0)
}

/**
 * Returns the first answer when the request was made before.
 *
 * @throws idempotency_conflict for another order or amount
 */
async function repeated(
  tx: Tx,
  refundNo: string,
  orderNo: string,
  asked: Micros | undefined,
): Promise<BookedRefund | undefined> {
  const [before] = await findBooked(tx, { source: `judged:${refundNo}` })
  if (!before) return undefined
  if (before.orderNo !== orderNo || (asked ?? before.amount) !== before.amount)
    throw new ServiceError('idempotency_conflict')
  return { ...before, refundNo, orderNo, released: [], replayed: true }
}

const insertRefund = compiledInsert('refunds')

const addRefunded = compiled<{ orderId: number; amount: Micros; now: Date }>()(
  (db, { orderId, amount, now }) =>
    db
      .updateTable('staticOrders')
      .set(({ eb }) => ({ refundedAmount: eb('refundedAmount', '+', amount), updatedAt: now }))
      .where('id', '=', orderId),
)

const findUsername = compiled<{ id: number }>()((db, { id }) =>
  db.selectFrom('accounts').select('username').where('id', '=', id),
)

const findDynamic = compiled<{ orderNo: string }>()((db, { orderNo }) =>
  db
    .selectFrom('dynamicOrders as o')
    .innerJoin('accounts as u', 'u.id', 'o.userId')
    .leftJoin('promoUses as p', 'p.orderNo', 'o.orderNo')
    .select(['o.id', 'o.orderNo', 'o.userId', 'u.username', 'o.totalAmount as paid'])
    .select(({ fn, val, selectFrom }) => [
      fn.coalesce('p.agentPaid', val(0)).as('agentPaid'),
      fn.coalesce('p.agentReturned', val(0)).as('agentReturned'),
      fn
        .coalesce(
          selectFrom('refunds as g')
            .select((g) => g.fn.sum<number>('g.amount').as('amount'))
            .whereRef('g.dynamicOrderId', '=', 'o.id'),
          val(0),
        )
        .as('refunded'),
    ])
    .where('o.orderNo', '=', orderNo),
)

const findBooked = compiled<{ source: string }>()((db, { source }) =>
  db
    .selectFrom('ledgerEntries as e')
    .innerJoin('accounts as u', 'u.id', 'e.accountId')
    .select(['e.accountId as userId', 'u.username', 'e.amount', 'e.balanceAfter as balance'])
    .select(({ ref }) => ref('e.orderNo').$notNull().as('orderNo'))
    .where('e.source', '=', source),
)
