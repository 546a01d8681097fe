import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { newNumber } from '../ids.ts'
import type { ClaimedJob } from '../jobs/job-queue.ts'
import { bookEntry } from '../ledger/book-entry.ts'
import { times } from '../money.ts'
import { announce } from '../notices/announce.ts'
import { endOfTerm, termOf, type Unit } from '../term.ts'
import { supplierOf } from './create-static-order.ts'
import type { Delivery, SupplyOrder } from './supplier.ts'

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

/**
 * Completes an accepted order (contract 5): what the supplier delivers becomes instances, what it does not is refunded, and
 * those who wait are told; all in one transaction that also ends the job. Harmless to repeat.
 *
 * @returns milliseconds after which to ask again, when the supplier does not know yet
 */
export async function completeStaticOrder(
  deps: CoreDeps,
  job: ClaimedJob,
): Promise<{ retryAfterMs: number } | undefined> {
  const order = await findProcessing(deps, job.key)
  if (!order) {
    await deps.db.write((tx) => deps.jobs.finish(tx, job))
    return undefined
  }
  const delivery = await supplierOf(deps, order.supplier).deliver(order)
  if (delivery.status === 'pending') return { retryAfterMs: delivery.retryAfterMs }
  await deps.db.write(async (tx) => {
    await settle(deps, tx, order, delivery)
    await deps.jobs.finish(tx, job)
  })
  deps.jobs.wake()
  return undefined
}

async function findProcessing({ db }: CoreDeps, orderNo: string): Promise<ProcessingOrder | undefined> {
  const [order] = await selectJson<ProcessingOrder>(
    db.read,
    Prisma.sql`SELECT json_object('orderId', o.id, 'orderNo', o.order_no, 'productNo', p.product_no, 'ipCount', o.ip_count,
                 'userId', o.user_id, 'callerId', o.caller_id, 'supplier', p.supplier, 'duration', o.duration, 'unit', o.unit,
                 'cycleTimes', o.cycle_times, 'periods', o.periods, 'unitPrice', o.unit_price) AS json
               FROM static_orders o JOIN products p ON p.id = o.product_id
               WHERE o.order_no = ${orderNo} AND o.status = 'processing'`,
  )
  return order
}

async function settle(
  deps: CoreDeps,
  tx: Tx,
  order: ProcessingOrder,
  delivery: Delivery & { status: 'delivered' },
): Promise<void> {
  const now = deps.clock.now()
  const expireTime = endOfTerm(now, termOf(order.duration, order.unit, order.cycleTimes))
  const proxies = delivery.proxies.slice(0, order.ipCount)
  const missing = order.ipCount - proxies.length
  const refund = times(order.unitPrice, missing, order.periods) ?? 0
  const status = missing === 0 ? 'active' : proxies.length > 0 ? 'partial' : 'failed'

  const completed = await tx.$executeRaw`
    UPDATE static_orders SET status = ${status}, success_count = ${proxies.length}, refunded_amount = ${refund},
      fail_reason = ${delivery.reason ?? null}, provider_order_no = ${delivery.providerOrderNo ?? null},
      expire_time = ${proxies.length > 0 ? expireTime : null}, updated_at = ${now}
    WHERE id = ${order.orderId} AND status = 'processing'`
  if (completed === 0) return
  const instances = proxies.map((proxy) => ({ ...proxy, instanceNo: newNumber('I', now) }))
  await tx.$executeRaw`
    INSERT INTO instances (instance_no, order_id, user_id, provider_instance_no, ip, port, username, password, cidr,
      country_code, state, city_code, auto_renew, opened_at, expire_time)
    SELECT value ->> 'instanceNo', ${order.orderId}, ${order.userId}, value ->> 'providerInstanceNo', value ->> 'ip', value ->> 'port',
      value ->> 'username', value ->> 'password', value ->> 'cidr', value ->> 'countryCode', value ->> 'state', value ->> 'cityCode',
      (SELECT auto_renew FROM static_orders WHERE id = ${order.orderId}), ${now}, ${expireTime}
    FROM json_each(${JSON.stringify(instances)})`
  if (missing > 0) await giveBack(deps, tx, order, refund)
  await announce(
    deps,
    tx,
    [order.userId, order.callerId],
    `order_${status === 'active' ? 'ready' : status}`,
    order.orderNo,
  )
}

async function giveBack(deps: CoreDeps, tx: Tx, order: ProcessingOrder, refund: number): Promise<void> {
  await supplierOf(deps, order.supplier).settle(tx, order)
  if (refund === 0) return
  await bookEntry(tx, deps.clock.now(), {
    accountId: order.userId,
    type: 'refund',
    amount: refund,
    source: `refund:${order.orderNo}`,
    orderType: 'static',
    orderNo: order.orderNo,
    operatorId: null,
  })
}
