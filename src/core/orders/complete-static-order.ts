import { Prisma } from '../../generated/prisma/client.ts'
import { batched } from '../batched.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { newNumber } from '../ids.ts'
import type { ClaimedJob, RetryLater } from '../jobs/job-queue.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { type Micros, times } from '../money.ts'
import { announce } from '../notices/announce.ts'
import { endOfTerm, termOf, type Unit } from '../term.ts'
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
  readonly unitPrice: number
}

/** What a supplier has delivered for an order. */
interface Settlement {
  readonly job: ClaimedJob
  readonly order: ProcessingOrder
  readonly delivery: Delivery & { readonly status: 'delivered' }
}

/**
 * Makes the job that completes an accepted order (rules 4.8, 5.5): what the supplier delivers becomes instances, what it does
 * not is refunded, and those who wait are told; all in one transaction that also ends the job. Harmless to repeat.
 *
 * Orders that are completed at the same time share their statements; a supplier that takes its time holds up its own only.
 *
 * @returns the job; it answers after how many milliseconds to ask again, when the supplier does not know yet
 */
export function staticOrderCompletion(deps: CoreDeps) {
  const find = batched((orderNos: readonly string[]) => findProcessing(deps, orderNos))
  const settle = batched(
    async (settlements: readonly Settlement[]) => {
      await deps.db.write((tx) => settleAll(deps, tx, settlements))
      return () => undefined
    },
    { most: ORDER_LIMITS.ips, weightOf: ({ order }) => order.ipCount },
  )

  return async (job: ClaimedJob): Promise<RetryLater | undefined> => {
    const order = await find(job.key)
    if (!order) {
      await deps.db.write((tx) => deps.jobs.finish(tx, job))
      return undefined
    }
    const delivery = await supplierOf(deps, order.supplier).deliver(order)
    if (delivery.status === 'pending')
      return { retryAfterMs: delivery.retryAfterMs, reason: 'the supplier is not done yet', waiting: true }
    await settle({ job, order, delivery })
    deps.jobs.wake()
    return undefined
  }
}

async function findProcessing({ db }: CoreDeps, orderNos: readonly string[]) {
  const orders = await selectJson<ProcessingOrder>(
    db.read,
    Prisma.sql`SELECT json_object('orderId', o.id, 'orderNo', o.order_no, 'productNo', p.product_no, 'ipCount', o.ip_count,
                 'userId', o.user_id, 'callerId', o.caller_id, 'supplier', p.supplier, 'duration', o.duration, 'unit', o.unit,
                 'cycleTimes', o.cycle_times, 'periods', o.periods, 'unitPrice', o.unit_price) AS json
               FROM static_orders o JOIN products p ON p.id = o.product_id
               WHERE o.order_no IN (SELECT value FROM json_each(${JSON.stringify(orderNos)})) AND o.status = 'processing'`,
  )
  const found = new Map(orders.map((order) => [order.orderNo, order]))
  return (orderNo: string) => found.get(orderNo)
}

interface Outcome extends ProcessingOrder {
  readonly status: 'active' | 'partial' | 'failed'
  readonly successCount: number
  readonly missing: number
  readonly refund: Micros
  readonly reason: string | undefined
  readonly providerOrderNo: string | undefined
  readonly expireTime: Date | null
  /** Where all of the proxies are; null when they are in several places. */
  readonly countryCode: string | null
  readonly cityCode: string | null
  readonly instances: readonly (SuppliedProxy & { readonly instanceNo: string })[]
}

function outcomeOf({ order, delivery }: Settlement, now: Date): Outcome {
  const proxies = delivery.proxies.slice(0, order.ipCount)
  const missing = order.ipCount - proxies.length
  return {
    ...order,
    status: missing === 0 ? 'active' : proxies.length > 0 ? 'partial' : 'failed',
    successCount: proxies.length,
    missing,
    refund: times(order.unitPrice, missing, order.periods) ?? 0,
    reason: delivery.reason,
    providerOrderNo: delivery.providerOrderNo,
    expireTime:
      proxies.length > 0 ? endOfTerm(now, termOf(order.duration, order.unit, order.cycleTimes)) : null,
    ...placeOfAll(proxies),
    instances: proxies.map((proxy) => ({ ...proxy, instanceNo: newNumber('I', now) })),
  }
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

async function settleAll(deps: CoreDeps, tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  const now = deps.clock.now()
  const outcomes = new Map(settlements.map((one) => [one.order.orderId, outcomeOf(one, now)]))
  // Whatever another runner has completed meanwhile stays as it is.
  const completed = await tx.$queryRaw<{ id: number }[]>`
    UPDATE static_orders SET status = n.value ->> 'status', success_count = n.value ->> 'successCount',
      refunded_amount = n.value ->> 'refund', fail_reason = n.value ->> 'reason',
      provider_order_no = n.value ->> 'providerOrderNo', expire_time = n.value ->> 'expireTime', updated_at = ${now},
      country_code = coalesce(country_code, n.value ->> 'countryCode'), city_code = coalesce(city_code, n.value ->> 'cityCode')
    FROM json_each(${JSON.stringify([...outcomes.values()], withoutInstances)}) n
    WHERE static_orders.id = n.value ->> 'orderId' AND static_orders.status = 'processing' RETURNING static_orders.id`
  const done = completed.flatMap(({ id }) => outcomes.get(id) ?? [])
  await tx.$executeRaw`
    INSERT INTO instances (instance_no, order_id, user_id, provider_instance_no, ip, port, username, password, cidr,
      country_code, state, city_code, auto_renew, opened_at, expire_time)
    SELECT p.value ->> 'instanceNo', o.id, o.user_id, p.value ->> 'providerInstanceNo', p.value ->> 'ip', p.value ->> 'port',
      p.value ->> 'username', p.value ->> 'password', p.value ->> 'cidr', p.value ->> 'countryCode', p.value ->> 'state',
      p.value ->> 'cityCode', o.auto_renew, ${now}, p.value ->> 'expireTime'
    FROM json_each(${JSON.stringify(done.flatMap(deliveredOf))}) p CROSS JOIN static_orders o ON o.id = p.value ->> 'orderId'`
  for (const order of done) if (order.missing > 0) await giveBack(deps, tx, order)
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
  await deps.jobs.finish(tx, ...settlements.map(({ job }) => job))
}

/** They are many, and SQLite would read all of them for each field. */
function withoutInstances(name: string, value: unknown): unknown {
  return name === 'instances' ? undefined : value
}

function deliveredOf({ orderId, expireTime, instances }: Outcome) {
  return instances.map((instance) => ({ ...instance, orderId, expireTime }))
}

async function giveBack(deps: CoreDeps, tx: Tx, order: Outcome): Promise<void> {
  await supplierOf(deps, order.supplier).settle(tx, order)
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
