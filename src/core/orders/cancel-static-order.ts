import { z } from 'zod'
import type { Actor } from '../access.ts'
import { compiled } from '../database/compiled.ts'
import { compiledInsert } from '../database/compiled-insert.ts'
import type { Tx } from '../database/database.ts'
import { listOf, rowsOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
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
import { once } from '../once.ts'
import { RequestKey } from '../request-key.ts'
import { InstanceNo, MAX_INSTANCES } from './renewal-input.ts'
import { StaticOrderInput } from './static-order-input.ts'
import { supplierOf } from './supplier.ts'

export const CancellationInput = z.object({
  /** Number of the order, its own or its application's. */
  orderNo: z.string(),
  /** Without them all active proxies of the order. */
  instances: z.array(InstanceNo).min(1).max(MAX_INSTANCES).nullish(),
  reason: z.string().max(255).nullish(),
  /** Smallest refund accepted, in units of the currency; 0: any. */
  minRefund: StaticOrderInput.unwrap().shape.totalAmount,
  /** With a key, a repetition is answered as the first time was, and another cancellation under it is refused. */
  requestKey: RequestKey.nullish(),
})

interface Cancellation {
  readonly orderNo: string
  readonly status: OrderStatus
  readonly releasedInstances: string[]
  readonly refundAmount: Micros
  /** Of the order's user. */
  readonly balance: Micros
}

/**
 * Releases proxies of an order before their time (rules 5.9, 5.10). Inside the refund window of the product, which
 * begins with the order, what was paid for them comes back, renewals included (whatever was renewed before the window's end was
 * bought inside it), less what those that stay cost more in their number ({@link refundFor}). Later they are released without a
 * refund. With the last active one the order is cancelled. Repeating it releases and refunds nothing and answers what was.
 *
 * @throws order_not_found, instance_not_found, order_processing, invalid_state (failed or expired), price_changed (less would
 *   come back than `minRefund`), idempotency_conflict, validation_error
 */
export async function cancelStaticOrder(
  deps: CoreDeps,
  actor: Actor,
  input: z.input<typeof CancellationInput>,
): Promise<Cancellation & { readonly replayed: boolean }> {
  const { requestKey, ...request } = parseInput(CancellationInput, input)
  const { orderNo, instances: named, reason, minRefund } = request
  const keyed = { key: requestKey, kind: 'cancel_static_order', input: request }
  const cancellation = await once(deps, actor, keyed, async (tx) => {
    await expireDueOf(tx, deps.clock.now(), (await findStaticOrder(tx, actor, { orderNo })).id)
    const order = await findStaticOrder(tx, actor, { orderNo })
    const { active, released } = await selectInstances(tx, order, named)
    if (active.length === 0) return answer(tx, actor, order, released)
    const refund = await release(deps, tx, {
      order,
      instances: active,
      callerId: actor.id,
      reason: reason ?? '',
    })
    if (toNumber(refund) < minRefund)
      throw new ServiceError('price_changed', { data: { refund_amount: toNumber(refund) } })
    return answer(tx, actor, order, active)
  })
  deps.jobs.wake()
  return cancellation
}

interface Release {
  readonly order: OrderInLife
  readonly instances: readonly InstanceInLife[]
  readonly callerId: number
  readonly reason: string
}

async function release(
  deps: CoreDeps,
  tx: Tx,
  { order, instances, callerId, reason }: Release,
): Promise<Micros> {
  const now = deps.clock.now()
  const cancelNo = newNumber('C', now)
  const { amount: refund, shares } = await refundFor(tx, now, order, instances)
  const created = { cancelNo, orderId: order.id, callerId, reason, refundAmount: refund, createdAt: now }
  const cancellationId = await insertCancellation(tx, created)
  await releaseProxies(tx, { cancellationId, orderId: order.id, now, ids: instances.map(({ id }) => id) })
  await setRefunded(tx, { shares })
  await followInstances(tx, { orderId: order.id, refund, now })
  if (refund > 0) {
    await bookEntry(tx, now, {
      accountId: order.userId,
      type: 'refund',
      amount: refund,
      source: `cancel:${cancelNo}`,
      orderType: 'static',
      orderNo: order.orderNo,
      operatorId: callerId,
      remark: reason,
    })
  }
  const supplier = supplierOf(deps, order.supplier)
  await supplier.giveBack(
    tx,
    instances.map(({ providerInstanceNo }) => ({ orderId: order.id, providerInstanceNo })),
  )
  if (supplier.release) await deps.jobs.enqueue(tx, 'release_at_supplier', cancelNo)
  return refund
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
    .set({ status: 'released', releasedAt: now, cancellationId })
    .where('id', 'in', listOf(ids))
    .where('orderId', '=', orderId)
    .where('status', '=', 'active'),
)

const setRefunded = compiled<Pick<Refund, 'shares'>>()((db, { shares }) =>
  db
    .updateTable('instances')
    .from(rowsOf(shares, { id: 'integer', refunded: 'integer' }, 'share'))
    .set(({ ref }) => ({ refundedAmount: ref('share.refunded') }))
    .whereRef('instances.id', '=', 'share.id')
    .whereRef('instances.refundedAmount', '<>', 'share.refunded'),
)

/**
 * The order after some of its proxies were released: cancelled when none is active, else valid as long as the last one; and it
 * renews itself while one of them does.
 */
const followInstances = compiled<{ orderId: number; refund: Micros; now: Date }>()(
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

/** What became of these proxies: the same to the call that released them and to its repetition. */
async function answer(
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
