import { batched } from '../batched.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { asGiven, listOf, rowsOf } from '../database/dialect.ts'
import { newNumber } from '../ids.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { type Micros, times } from '../money.ts'
import { discountOfProxy } from '../promotions/discount.ts'
import { type DiscountShare, sharesBefore } from '../promotions/discount.ts'
import { returnPromoUse, returnToAgent } from '../promotions/redeem-promo-code.ts'
import { clearResult } from '../supply/outcome.ts'
import { releaseNumber, requestRelease } from '../supply/request-release.ts'
import { endOfTerm, termOf, type Unit } from '../term.ts'
import { checkOrder } from './check-order.ts'
import { costOfTerm, countStockCosts } from './stock-costs.ts'
import { withoutUsed } from './proxies-in-use.ts'
import { ORDER_LIMITS } from './static-order-input.ts'
import { type Delivery, type SuppliedProxy, supplierOf, type SupplyOrder } from '../supply/supplier.ts'
import { happened } from '../facts/happened.ts'
import type { OrderDeps } from './deps.ts'

interface ProcessingOrder extends SupplyOrder {
  readonly userId: number
  readonly callerId: number
  readonly supplier: string
  readonly connectionId: number | null
  readonly namesProxies: boolean
  readonly duration: number
  readonly unit: Unit
  readonly cycleTimes: number
  readonly periods: number
  readonly unitPrice: Micros
  readonly discount: Micros
  /** The part of the discount that the balance of an agent paid. */
  readonly agentPaid: Micros
}

/** An order with what its supplier has delivered. */
interface DeliveredOrder {
  readonly job: ClaimedJob<'complete_static_order'>
  readonly order: ProcessingOrder
  readonly delivery: Delivery & { readonly status: 'delivered' }
  /** Supplier's numbers of the proxies that the check before the delivery found dead. */
  readonly dead: ReadonlySet<string>
}

/**
 * Creates the job handler that completes an accepted order (rules 4.8, 5.5, 5.23): what the supplier delivers and works becomes
 * instances, the rest is refunded, and user and caller are told; all in one transaction that also ends the job. Idempotent.
 *
 * Orders that are completed at the same time share their statements; a slow supplier delays only its own orders.
 *
 * @returns the handler; its result is when to ask the supplier again, or undefined when the job is done
 */
export function staticOrderCompletion(deps: OrderDeps) {
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
    const check = await checkOrder(deps, order, delivery.proxies)
    if ('later' in check) return check.later
    await complete({ job, order, delivery, dead: check.dead })
    return undefined
  }
}

async function findProcessing({ db }: OrderDeps, orderNos: readonly string[]) {
  const found = new Map(
    (await processingOrders(db.read, { orderNos })).map((order) => [order.orderNo, order]),
  )
  return (orderNo: string) => found.get(orderNo)
}

const processingOrders = compiled<{ orderNos: readonly string[] }>()((db, { orderNos }) =>
  db
    .selectFrom('staticOrders as o')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .leftJoin('supplierConnections as c', 'c.name', 'p.supplier')
    .leftJoin('promoUses as u', 'u.orderNo', 'o.orderNo')
    .select(['o.id as orderId', 'o.orderNo', 'p.productNo', 'o.ipCount', 'o.userId', 'o.callerId'])
    .select(['p.supplier', 'c.id as connectionId', 'o.namesProxies'])
    .select(['o.duration', 'o.unit', 'o.cycleTimes', 'o.periods', 'o.unitPrice', 'o.discount'])
    .select(({ fn, lit }) => fn.coalesce('u.agentPaid', lit(0)).as('agentPaid'))
    .$narrowType<{ unit: Unit }>()
    .where('o.orderNo', 'in', listOf(orderNos))
    .where('o.status', '=', 'processing'),
)

interface Outcome extends ProcessingOrder {
  readonly status: 'active' | 'partial' | 'failed'
  readonly successCount: number
  readonly missing: number
  /** How many of the missing proxies were delivered but did not work. */
  readonly dead: number
  readonly refund: Micros
  /** What comes back to the agent whose balance paid a part of the discount. */
  readonly toAgent: Micros
  readonly reason: string | undefined
  readonly providerOrderNo: string | undefined
  /** When the last of the proxies expires. */
  readonly expireTime: string | null
  /** What the supplier charged; null for the own stock. */
  readonly cost: Micros | null
  /** The country of all proxies, and their city; null where they differ. */
  readonly countryCode: string | null
  readonly cityCode: string | null
  /** Supplier's numbers of the delivered proxies that do not work. */
  readonly broken: readonly string[]
  readonly instances: readonly NewInstance[]
}

interface NewInstance extends Omit<SuppliedProxy, 'cost'>, DiscountShare {
  /** What the supplier charged for it, or what the term costs by its monthly cost; null where that is not known. */
  readonly cost: Micros | null
  readonly instanceNo: string
  /** The end of the term, or of the supplier's, whichever is earlier. */
  readonly expireTime: string
}

function outcomeOf({ order, delivery, dead }: DeliveredOrder, now: Date): Outcome {
  const isDead = ({ providerInstanceNo }: SuppliedProxy) => dead.has(providerInstanceNo)
  const { ipCount, discount, agentPaid } = order
  const price = times(order.unitPrice, order.periods) ?? 0
  const discounted = { price, count: ipCount, discount, agentPaid }
  const proxies = delivery.proxies.filter((proxy) => !isDead(proxy)).slice(0, ipCount)
  const missing = ipCount - proxies.length
  const missingDead = Math.min(missing, dead.size)
  const term = termOf(order.duration, order.unit, order.cycleTimes)
  const end = endOfTerm(now, term).toISOString()
  const instances = proxies.map((proxy, index) => ({
    ...proxy,
    cost: proxy.cost ?? costOfTerm(proxy.monthlyCost, term),
    instanceNo: newNumber('I', now),
    ...discountOfProxy(discounted, index),
    expireTime: earlier(end, proxy.supplierExpireTime),
  }))
  const kept = sharesBefore(discounted, proxies.length)
  return {
    ...order,
    status: missing === 0 ? 'active' : proxies.length > 0 ? 'partial' : 'failed',
    successCount: proxies.length,
    missing,
    dead: missingDead,
    refund: (times(price, missing) ?? 0) - (discount - kept.discount),
    toAgent: agentPaid - kept.agentPaid,
    reason: missingDead > 0 ? `${missingDead} of the proxies did not work` : delivery.reason,
    providerOrderNo: delivery.providerOrderNo,
    expireTime: instances.reduce<string | null>(
      (last, { expireTime }) => (last === null || expireTime > last ? expireTime : last),
      null,
    ),
    cost: delivery.call?.cost ?? null,
    ...placeOfAll(proxies),
    broken: delivery.proxies.filter(isDead).map(({ providerInstanceNo }) => providerInstanceNo),
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

async function completeAll(deps: OrderDeps, tx: Tx, deliveries: readonly DeliveredOrder[]): Promise<void> {
  const now = deps.clock.now()
  const usable = await Promise.all(deliveries.map((one) => usablePart(tx, one)))
  const outcomes = new Map(usable.map((one) => [one.order.orderId, outcomeOf(one, now)]))
  // Orders that another runner has completed meanwhile are not returned, and stay as they are.
  const completed = await completeOrders(tx, { outcomes: [...outcomes.values()].map(withoutInstances), now })
  const done = completed.flatMap(({ id }) => outcomes.get(id) ?? [])
  await addInstances(tx, { proxies: done.flatMap(deliveredOf), now })
  const ofStock = done.filter(({ connectionId, successCount }) => connectionId === null && successCount > 0)
  await countStockCosts(
    tx,
    now,
    ofStock.map(({ orderId, instances }) => ({ orderId, costs: instances.map(({ cost }) => cost) })),
  )
  for (const order of done) if (order.missing > 0) await refundMissing(deps, tx, order)
  for (const order of done) if (order.broken.length > 0) await releaseBroken(deps, tx, order)
  for (const { delivery } of deliveries) if (delivery.call) await clearResult(tx, delivery.call.callNo)
  happened(
    tx,
    ...done.map(({ userId, callerId, status, orderNo, ipCount, successCount, refund, dead }) => ({
      kind: 'order.completed' as const,
      userId,
      callerId,
      status,
      orderNo,
      ordered: ipCount,
      delivered: successCount,
      refund,
      dead,
    })),
  )
  await deps.jobs.finish(tx, ...deliveries.map(({ job }) => job))
}

/** Returns the delivery without the proxies that are in use already. */
async function usablePart(tx: Tx, delivered: DeliveredOrder): Promise<DeliveredOrder> {
  const { order, delivery } = delivered
  if (!delivery.call) return delivered
  const { callNo } = delivery.call
  const { orderNo, supplier, ipCount } = order
  const { free, used } = await withoutUsed(tx, {
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

/** Drops the instances from the JSON parameter of the update: SQLite would parse them again for each field. */
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
  ...({ supplierExpireTime: 'text', cost: 'integer', discount: 'integer', agentPaid: 'integer' } as const),
}
const DELIVERED_COLUMNS = Object.keys(DELIVERED) as (keyof typeof DELIVERED)[]

const addInstances = compiled<{
  proxies: readonly ReturnType<typeof deliveredOf>[number][]
  now: Date
}>()((db, { proxies, now }) =>
  db
    .insertInto('instances')
    .columns(['orderId', 'userId', 'autoRenew', 'openedAt', 'updatedAt', ...DELIVERED_COLUMNS])
    .expression(({ selectFrom }) =>
      selectFrom(rowsOf(proxies, { orderId: 'integer', ...DELIVERED }, 'p'))
        .crossJoin('staticOrders as o')
        .select(['o.id', 'o.userId', 'o.autoRenew', now.as('openedAt'), now.as('updatedAt')])
        .select(DELIVERED_COLUMNS.map((column) => `p.${column}` as const))
        .whereRef('o.id', '=', 'p.orderId')
        .orderBy(asGiven('p')),
    ),
)

/** Asks a third party to end the proxies that it has delivered, and that do not work. */
async function releaseBroken(
  deps: OrderDeps,
  tx: Tx,
  { orderId, orderNo, connectionId, broken }: Outcome,
): Promise<void> {
  if (connectionId === null) return
  const proxies = broken.map((providerInstanceNo) => ({ providerInstanceNo, providerOrderNo: null }))
  await requestRelease(deps, tx, { orderId, connectionId, number: releaseNumber(orderNo), proxies })
}

async function refundMissing(deps: OrderDeps, tx: Tx, order: Outcome): Promise<void> {
  await supplierOf(deps, order.supplier).freeUndelivered(tx, order)
  const { orderNo, userId, refund, toAgent } = order
  const now = deps.clock.now()
  const source = `refund:${orderNo}`
  if (order.status === 'failed') await returnPromoUse(tx, now, orderNo)
  await returnToAgent(tx, now, { orderNo, amount: toAgent, source, operatorId: null })
  if (refund === 0) return
  await bookEntry(tx, now, {
    accountId: userId,
    type: 'refund',
    amount: refund,
    source,
    refundOf: `order:${orderNo}`,
    orderType: 'static',
    orderNo,
    operatorId: null,
  })
}
