import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import { listOf, rowsOf } from '../database/dialect.ts'
import { parseInput, ServiceError } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { balanceOf, bookEntry } from '../ledger/book-entry.ts'
import { type Micros, toNumber } from '../money.ts'
import { selectInstances } from './cancellation-terms.ts'
import { expireDueOf } from './expire-instances.ts'
import { findStaticOrder, type InstanceInLife, type OrderInLife } from './find-static-order.ts'
import { type Refund, refundFor } from './refund-terms.ts'
import { anyActive, anyRenews, lastExpiry } from './order-of-instances.ts'
import type { OrderStatus } from './static-order.ts'
import { once } from '../requests/once.ts'
import { returnToAgent } from '../promotions/redeem-promo-code.ts'
import { requestRelease } from '../supply/request-release.ts'
import { RequestKey } from '../requests/request-key.ts'
import { MAX_INSTANCES } from './renewal-input.ts'
import { StaticOrderInput } from './static-order-input.ts'
import { giveBackStockCosts } from './stock-costs.ts'
import { supplierOf } from '../supply/supplier.ts'
import { agentMoved } from './agent-moved.ts'
import { happened } from '../facts/happened.ts'
import { InstanceNo } from '../identifiers.ts'
import type { OrderDeps } from './deps.ts'

export const CancellationInput = z.object({
  /** The order number or the application order number. */
  orderNo: z.string(),
  /** Numbers of the proxies; without them, all active proxies of the order. */
  instances: z.array(InstanceNo).min(1).max(MAX_INSTANCES).nullish(),
  reason: z.string().max(255).nullish(),
  /** Smallest refund accepted, in units of the currency; 0: any. */
  minRefund: StaticOrderInput.unwrap().shape.totalAmount,
  /** With a key, a repeated request gets the first answer again, and another cancellation with the same key is refused. */
  requestKey: RequestKey.nullish(),
})

interface Cancellation {
  readonly orderNo: string
  readonly status: OrderStatus
  readonly releasedInstances: string[]
  readonly refundAmount: Micros
  /** Balance of the order's user. */
  readonly balance: Micros
}

/**
 * Releases proxies of an order before they expire (rules 5.9, 5.10). Inside the refund window of the product, which begins with the
 * order, what was paid for them is refunded, renewals included, less what the remaining proxies cost more because they are fewer
 * ({@link refundFor}). Later they are released without a refund. With its last active proxy the order is cancelled. A repetition
 * releases and refunds nothing, and returns the result of the first time.
 *
 * @throws order_not_found, instance_not_found, order_processing, invalid_state (failed or expired), price_changed (less would
 *   come back than `minRefund`), idempotency_conflict, validation_error
 */
export async function cancelStaticOrder(
  deps: OrderDeps,
  actor: Actor,
  input: z.input<typeof CancellationInput>,
): Promise<Cancellation & { readonly replayed: boolean }> {
  const { requestKey, ...request } = parseInput(CancellationInput, input)
  const { orderNo, instances: named, reason, minRefund } = request
  const keyed = { key: requestKey, kind: 'cancel_static_order', input: request }
  return once(deps, actor, keyed, async (tx) => {
    await expireDueOf(tx, deps.clock.now(), (await findStaticOrder(tx, actor, { orderNo })).id)
    const order = await findStaticOrder(tx, actor, { orderNo })
    const { active, released } = await selectInstances(tx, order, named)
    if (active.length === 0) return resultFor(tx, actor, order, released)
    const refund = await release(deps, tx, actor, {
      order,
      instances: active,
      callerId: actor.id,
      reason: reason ?? '',
    })
    if (toNumber(refund) < minRefund)
      throw new ServiceError('price_changed', { data: { refund_amount: toNumber(refund) } })
    return resultFor(tx, actor, order, active)
  })
}

interface Release {
  readonly order: OrderInLife
  readonly instances: readonly InstanceInLife[]
  readonly callerId: number
  readonly reason: string
}

async function release(deps: OrderDeps, tx: Tx, actor: Actor, released: Release): Promise<Micros> {
  const { order, instances, callerId, reason } = released
  const now = deps.clock.now()
  const refund = await refundFor(tx, now, order, instances)
  const cancelNo = await endProxies(deps, tx, released, refund)
  const source = `cancel:${cancelNo}`
  const { orderNo } = order
  await returnToAgent(tx, now, { orderNo, amount: refund.toAgent, source, operatorId: callerId })
  if (refund.amount > 0) {
    const { balanceAfter } = await bookEntry(tx, now, {
      accountId: order.userId,
      type: 'refund',
      amount: refund.amount,
      source,
      orderType: 'static',
      orderNo,
      operatorId: callerId,
      remark: reason,
    })
    const cause = { kind: 'release', orderNo } as const
    const { amount } = refund
    const moved = { userId: order.userId, number: cancelNo, amount, balance: balanceAfter, cause }
    agentMoved(tx, actor, moved)
  }
  return refund.amount
}

/**
 * Ends active proxies of an order and returns them to their supplier.
 *
 * @param refund the refund, which the caller books
 * @returns number of the cancellation
 */
export async function endProxies(
  deps: OrderDeps,
  tx: Tx,
  { order, instances, callerId, reason }: Release,
  { amount, shares }: Pick<Refund, 'amount' | 'shares'>,
): Promise<string> {
  const now = deps.clock.now()
  const cancelNo = newNumber('C', now)
  const created = { cancelNo, orderId: order.id, callerId, reason, refundAmount: amount, createdAt: now }
  const cancellationId = await insertCancellation(tx, created)
  await releaseProxies(tx, { cancellationId, orderId: order.id, now, ids: instances.map(({ id }) => id) })
  await setRefunded(tx, { shares })
  await updateOrder(tx, { orderId: order.id, refund: amount, now })
  await returnToSupplier(deps, tx, { order, cancelNo, instances })
  const { orderNo, userId } = order
  happened(tx, { kind: 'order.released', orderNo, userId })
  return cancelNo
}

/** Returns proxies to the own stock at once, or asks the third party to end them; what it refunds comes later. */
async function returnToSupplier(
  deps: OrderDeps,
  tx: Tx,
  { order, cancelNo, instances }: Pick<Release, 'order' | 'instances'> & { readonly cancelNo: string },
): Promise<void> {
  const { id: orderId, connectionId } = order
  if (connectionId !== null)
    return requestRelease(deps, tx, { orderId, connectionId, number: cancelNo, proxies: instances })
  await giveBackStockCosts(tx, deps.clock.now(), { orderId, ids: instances.map(({ id }) => id) })
  await supplierOf(deps, order.supplier).takeBack(
    tx,
    instances.map(({ providerInstanceNo }) => ({ orderId, providerInstanceNo })),
  )
}

const insertCancellation = compiledInsert('cancellations')

const releaseProxies = compiled<{
  cancellationId: number
  orderId: number
  now: Date
  ids: readonly number[]
}>()((db, { cancellationId, orderId, now, ids }) =>
  db
    .updateTable('instances')
    .set({ status: 'released', releasedAt: now, cancellationId, updatedAt: now })
    .where('id', 'in', listOf(ids))
    .where('orderId', '=', orderId)
    .where('status', '=', 'active'),
)

/** Sets how much of the price of each proxy was refunded. */
export const setRefunded = compiled<Pick<Refund, 'shares'>>()((db, { shares }) =>
  db
    .updateTable('instances')
    .from(rowsOf(shares, { id: 'integer', refunded: 'integer', returned: 'integer' }, 'share'))
    .set(({ ref }) => ({ refundedAmount: ref('share.refunded'), agentReturned: ref('share.returned') }))
    .whereRef('instances.id', '=', 'share.id')
    .where(({ eb, or, ref }) =>
      or([
        eb('instances.refundedAmount', '<>', ref('share.refunded')),
        eb('instances.agentReturned', '<>', ref('share.returned')),
      ]),
    ),
)

/**
 * Updates an order after some of its proxies were released: it is cancelled when no proxy is active, else it expires with the last
 * one, and its `autoRenew` says whether any active proxy has it set.
 */
export const updateOrder = compiled<{ orderId: number; refund: Micros; now: Date }>()(
  (db, { orderId, refund, now }) =>
    db
      .updateTable('staticOrders')
      .set(({ eb, fn, ref }) => ({
        status: eb
          .case()
          .when(anyActive(orderId))
          .then(ref('status'))
          .else('cancelled' as const)
          .end(),
        expireTime: fn.coalesce(lastExpiry(orderId), 'expireTime'),
        autoRenew: anyRenews(orderId),
        refundedAmount: eb('refundedAmount', '+', refund),
        updatedAt: now,
      }))
      .where('id', '=', orderId)
      .where('status', 'in', ['active', 'partial']),
)

/** Returns the result for released proxies: the same for the call that released them and for its repetition. */
async function resultFor(
  tx: Tx,
  actor: Actor,
  { id, userId }: OrderInLife,
  released: readonly InstanceInLife[],
): Promise<Cancellation> {
  const { orderNo, status } = await findStaticOrder(tx, actor, { id })
  const [cancellation] = await lastCancellation(tx, { ids: released.map((instance) => instance.id) })
  return {
    orderNo,
    status,
    releasedInstances: released.map(({ instanceNo }) => instanceNo),
    refundAmount: cancellation?.refundAmount ?? 0,
    balance: await balanceOf(tx, userId),
  }
}

const lastCancellation = compiled<{ ids: readonly number[] }>()((db, { ids }) =>
  db
    .selectFrom('cancellations')
    .select('refundAmount')
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('instances')
        .select(({ fn }) => fn.max('cancellationId').as('last'))
        .where('id', 'in', listOf(ids)),
    ),
)
