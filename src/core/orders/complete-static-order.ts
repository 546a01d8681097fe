import { batched } from '../batched.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { listOf, rowsOf } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import { newNumber } from '../ids.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { type Micros, times } from '../money.ts'
import { announce } from '../notices/announce.ts'
import { clearResult } from '../supply/outcome.ts'
import { endOfTerm, termOf, type Unit } from '../term.ts'
import { withoutUsed } from './proxies-in-use.ts'
import { ORDER_LIMITS } from './static-order-input.ts'
import { type Delivery, type SuppliedProxy, supplierOf, type SupplyOrder } from './supplier.ts'

interface ProcessingOrder extends SupplyOrder {
  readonly userId: number
  readonly callerId: number
  readonly supplier: string
  readonly duration: number
  readonly unit: Unit
  readonly cycleTimes: number
  readonly periods: number
  readonly unitPrice: Micros
}

/** An order with what its supplier has delivered. */
interface DeliveredOrder {
  readonly job: ClaimedJob<'complete_static_order'>
  readonly order: ProcessingOrder
  readonly delivery: Delivery & { readonly status: 'delivered' }
}

/**
 * Creates the job handler that completes an accepted order (rules 4.8, 5.5): what the supplier delivers becomes instances, what it
 * does not deliver is refunded, and user and caller are told; all in one transaction that also ends the job. Idempotent.
 *
 * Orders that are completed at the same time share their statements; a slow supplier delays only its own orders.
 *
 * @returns the handler; its result is when to ask the supplier again, or undefined when the job is done
 */
export function staticOrderCompletion(deps: CoreDeps) {
  const find = batched((orderNos: readonly string[]) => findProcessing(deps, orderNos))
  const complete = batched(
    async (deliveries: readonly DeliveredOrder[]) => {
      await deps.db.write((tx) => completeAll(deps, tx, deliveries))
      return () => undefined
    },
    { most: ORDER_LIMITS.ips, weightOf: ({ order }) => order.ipCount },
  )

  return async (job: ClaimedJob<'complete_static_order'>): Promise<RetryLater | undefined> => {
    const order = await find(job.subject)
    if (!order) {
      await deps.db.write((tx) => deps.jobs.finish(tx, job))
      return undefined
    }
    const delivery = await supplierOf(deps, order.supplier).deliver(order)
    if (delivery.status === 'pending')
      return { retryAfterMs: delivery.retryAfterMs, reason: 'the supplier is not done yet', waiting: true }
    await complete({ job, order, delivery })
    deps.jobs.wake()
    return undefined
  }
}

async function findProcessing({ db }: CoreDeps, orderNos: readonly string[]) {
  const found = new Map(
    (await processingOrders(db.read, { orderNos })).map((order) => [order.orderNo, order]),
  )
  return (orderNo: string) => found.get(orderNo)
}

const processingOrders = compiled<{ orderNos: readonly string[] }>()((db, { orderNos }) =>
  db
    .selectFrom('staticOrders as o')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select([
      'o.id as orderId',
      'o.orderNo',
      'p.productNo',
      'o.ipCount',
      'o.userId',
      'o.callerId',
      'p.supplier',
    ])
    .select(['o.duration', 'o.unit', 'o.cycleTimes', 'o.periods', 'o.unitPrice'])
    .$narrowType<{ unit: Unit }>()
    .where('o.orderNo', 'in', listOf(orderNos))
    .where('o.status', '=', 'processing'),
)

interface Outcome extends ProcessingOrder {
  readonly status: 'active' | 'partial' | 'failed'
  readonly successCount: number
  readonly missing: number
  readonly refund: Micros
  readonly reason: string | undefined
  readonly providerOrderNo: string | undefined
  /** When the last of the proxies expires. */
  readonly expireTime: string | null
  /** What the supplier charged; null for the own stock. */
  readonly cost: Micros | null
  /** The country of all proxies, and their city; null where they differ. */
  readonly countryCode: string | null
  readonly cityCode: string | null
  readonly instances: readonly NewInstance[]
}

interface NewInstance extends SuppliedProxy {
  readonly instanceNo: string
  /** The end of the term, or of the supplier's, whichever is earlier. */
  readonly expireTime: string
}

function outcomeOf({ order, delivery }: DeliveredOrder, now: Date): Outcome {
  const proxies = delivery.proxies.slice(0, order.ipCount)
  const missing = order.ipCount - proxies.length
  const end = endOfTerm(now, termOf(order.duration, order.unit, order.cycleTimes)).toISOString()
  const instances = proxies.map((proxy) => ({
    ...proxy,
    instanceNo: newNumber('I', now),
    expireTime: earlier(end, proxy.supplierExpireTime),
  }))
  return {
    ...order,
    status: missing === 0 ? 'active' : proxies.length > 0 ? 'partial' : 'failed',
    successCount: proxies.length,
    missing,
    refund: times(order.unitPrice, missing, order.periods) ?? 0,
    reason: delivery.reason,
    providerOrderNo: delivery.providerOrderNo,
    expireTime: instances.reduce<string | null>(
      (last, { expireTime }) => (last === null || expireTime > last ? expireTime : last),
      null,
    ),
    cost: delivery.call?.cost ?? null,
    ...placeOfAll(proxies),
    instances,
  }
}

/** The earlier of two ISO times. */
function earlier(end: string, supplierEnd: string | undefined): string {
  return supplierEnd !== undefined && supplierEnd < end ? supplierEnd : end
}

function placeOfAll(proxies: readonly SuppliedProxy[]): Pick<Outcome, 'countryCode' | 'cityCode'> {
  const same = (field: 'countryCode' | 'cityCode') => new Set(proxies.map((proxy) => proxy[field])).size === 1
  const [first] = proxies
  const oneCountry = first !== undefined && same('countryCode')
  return {
    countryCode: oneCountry ? first.countryCode : null,
    cityCode: oneCountry && same('cityCode') ? first.cityCode || null : null,
  }
}

async function completeAll(deps: CoreDeps, tx: Tx, deliveries: readonly DeliveredOrder[]): Promise<void> {
  const now = deps.clock.now()
  const usable = await Promise.all(deliveries.map((one) => usablePart(deps, tx, one)))
  const outcomes = new Map(usable.map((one) => [one.order.orderId, outcomeOf(one, now)]))
  // Orders that another runner has completed meanwhile are not returned, and stay as they are.
  const completed = await completeOrders(tx, { outcomes: [...outcomes.values()].map(withoutInstances), now })
  const done = completed.flatMap(({ id }) => outcomes.get(id) ?? [])
  await addInstances(tx, { proxies: done.flatMap(deliveredOf), now })
  for (const order of done) if (order.missing > 0) await refundMissing(deps, tx, order)
  for (const { delivery } of deliveries) if (delivery.call) await clearResult(tx, delivery.call.callNo)
  await announce(
    deps,
    tx,
    done.map(({ userId, callerId, status, orderNo, ipCount, successCount, refund }) => ({
      accountIds: [userId, callerId],
      kind: status === 'active' ? 'order_ready' : `order_${status}`,
      subject: orderNo,
      data: { ordered: ipCount, delivered: successCount, refund },
    })),
  )
  await deps.jobs.finish(tx, ...deliveries.map(({ job }) => job))
}

/** The delivery without proxies that somebody uses already. */
async function usablePart(deps: CoreDeps, tx: Tx, delivered: DeliveredOrder): Promise<DeliveredOrder> {
  const { order, delivery } = delivered
  if (!delivery.call) return delivered
  const { callNo } = delivery.call
  const { orderNo, supplier, ipCount } = order
  const { free, used } = await withoutUsed(deps, tx, {
    callNo,
    orderNo,
    supplier,
    ordered: ipCount,
    proxies: delivery.proxies,
  })
  if (used === 0) return delivered
  const reason = delivery.reason ?? `${used} of the proxies are in use already`
  return { ...delivered, delivery: { ...delivery, proxies: free, reason } }
}

/** For the JSON parameter of the update: SQLite would parse all instances again for each field. */
function withoutInstances({ instances: _instances, ...outcome }: Outcome) {
  return outcome
}

const completeOrders = compiled<{
  outcomes: readonly ReturnType<typeof withoutInstances>[]
  now: Date
}>()((db, { outcomes, now }) => {
  const columns = {
    ...({ orderId: 'integer', status: 'text', successCount: 'integer', refund: 'integer' } as const),
    ...({ reason: 'text', providerOrderNo: 'text', expireTime: 'text' } as const),
    ...({ countryCode: 'text', cityCode: 'text', cost: 'integer' } as const),
  }
  return db
    .updateTable('staticOrders')
    .from(rowsOf(outcomes, columns, 'n'))
    .set(({ ref, fn }) => ({
      status: ref('n.status').$castTo<Outcome['status']>(),
      successCount: ref('n.successCount'),
      refundedAmount: ref('n.refund'),
      failReason: ref('n.reason'),
      providerOrderNo: ref('n.providerOrderNo'),
      expireTime: ref('n.expireTime'),
      cost: ref('n.cost'),
      updatedAt: now,
      countryCode: fn.coalesce('staticOrders.countryCode', 'n.countryCode'),
      cityCode: fn.coalesce('staticOrders.cityCode', 'n.cityCode'),
    }))
    .whereRef('staticOrders.id', '=', 'n.orderId')
    .where('staticOrders.status', '=', 'processing')
    .returning('staticOrders.id')
})

function deliveredOf({ orderId, instances }: Outcome) {
  return instances.map((instance) => ({ ...instance, orderId }))
}

/** Columns of an instance that come from the delivered proxy; the others come from its order. */
const DELIVERED = {
  ...({ instanceNo: 'text', providerInstanceNo: 'text', ip: 'text', port: 'integer' } as const),
  ...({ username: 'text', password: 'text', cidr: 'text' } as const),
  ...({ countryCode: 'text', state: 'text', cityCode: 'text', expireTime: 'text' } as const),
  ...({ supplierExpireTime: 'text', cost: 'integer' } as const),
}
const DELIVERED_COLUMNS = Object.keys(DELIVERED) as (keyof typeof DELIVERED)[]

const addInstances = compiled<{
  proxies: readonly ReturnType<typeof deliveredOf>[number][]
  now: Date
}>()((db, { proxies, now }) =>
  db
    .insertInto('instances')
    .columns(['orderId', 'userId', 'autoRenew', 'openedAt', ...DELIVERED_COLUMNS])
    .expression(({ selectFrom }) =>
      selectFrom(rowsOf(proxies, { orderId: 'integer', ...DELIVERED }, 'p'))
        .crossJoin('staticOrders as o')
        .select(['o.id', 'o.userId', 'o.autoRenew', now.as('openedAt')])
        .select(DELIVERED_COLUMNS.map((column) => `p.${column}` as const))
        .whereRef('o.id', '=', 'p.orderId'),
    ),
)

async function refundMissing(deps: CoreDeps, tx: Tx, order: Outcome): Promise<void> {
  await supplierOf(deps, order.supplier).freeUndelivered(tx, order)
  if (order.refund === 0) return
  await bookEntry(tx, deps.clock.now(), {
    accountId: order.userId,
    type: 'refund',
    amount: order.refund,
    source: `refund:${order.orderNo}`,
    orderType: 'static',
    orderNo: order.orderNo,
    operatorId: null,
  })
}
