import { z } from 'zod'
import {
  type SupplierBalance,
  SupplierFault,
  type SupplierInstance,
  type SupplierOrder,
} from '../../core/supply/driver.ts'
import { dataOf } from './answer.ts'
import { decimal, micros } from './decimal.ts'
import { ordersOf, wholeOrder } from './orders.ts'
import type { UpstreamOrder } from './records.ts'
import type { Session } from './session.ts'

const BALANCE = '/open/app/user/balance/current'
const Balance = z.object({ balance: z.number(), currency: z.string().nullish() })
/** Numbers of calls, as they stand in remarks. */
const OUR_NUMBER = /^[A-Z]\d{17}[0-9A-Z]{8}$/

export async function readBalance(session: Session, signal: AbortSignal): Promise<SupplierBalance> {
  const answer = dataOf(await session.call({ method: 'GET', path: BALANCE }, signal))
  const balance = Balance.safeParse(answer)
  if (!balance.success) throw new SupplierFault('unknown', 'The balance cannot be read')
  const { balance: available, currency } = balance.data
  return { available: decimal(micros(available)), ...(currency && { currency }) }
}

/** Reads proxies by number: orders are read until all are found, as the API finds no proxy by its number. */
export async function readInstances(
  session: Session,
  numbers: readonly string[],
  signal: AbortSignal,
): Promise<SupplierInstance[]> {
  const wanted = new Set(numbers)
  const found: SupplierInstance[] = []
  if (wanted.size === 0) return found
  for await (const some of ordersOf(session, {}, signal)) {
    const order = await wholeOrder(session, some, signal)
    for (const instance of order.instances)
      if (wanted.delete(instance.providerInstanceNo)) found.push(instance)
    if (wanted.size === 0) break
  }
  return found
}

/** Reads all proxies that run, of all orders. */
export async function readRunning(session: Session, signal: AbortSignal): Promise<SupplierInstance[]> {
  const running: SupplierInstance[] = []
  for await (const some of ordersOf(session, { filter: 'active' }, signal)) {
    const order = await wholeOrder(session, some, signal)
    running.push(...order.instances.filter(({ status }) => status === 'running'))
  }
  return running
}

/** Reads the orders since a moment, newest first. */
export async function readOrders(
  session: Session,
  since: Date,
  signal: AbortSignal,
): Promise<SupplierOrder[]> {
  const from = since.toISOString()
  const orders: SupplierOrder[] = []
  for await (const order of ordersOf(session, { created_start: from.slice(0, 10) }, signal)) {
    if (order.createdAt < from) break
    orders.push(toSupplierOrder(order))
  }
  return orders
}

function toSupplierOrder(order: UpstreamOrder): SupplierOrder {
  const { orderNo, appOrderNo, remark, count, paid, createdAt, state } = order
  // A service that ignores the number of the call makes one of its own.
  const callNo = OUR_NUMBER.test(remark) ? remark : appOrderNo
  return {
    ...(callNo !== undefined && { callNo }),
    providerOrderNo: orderNo,
    count,
    ...(paid !== undefined && { amount: decimal(paid) }),
    createdAt,
    status: state,
  }
}
