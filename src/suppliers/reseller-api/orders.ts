import { SupplierFault } from '../../core/supply/driver.ts'
import { dataOf } from './answer.ts'
import { readPage, type UpstreamOrder } from './records.ts'
import type { Session } from './session.ts'

const LIST = '/open/app/static/order/list/v2'
/** The largest page that the API has. */
const PAGE_SIZE = 100
/** Pages of the newest orders that are looked through for a number that the filters do not find. */
const RECENT_PAGES = 3

type Query = Readonly<Record<string, string>>

/** Reads one page of the account's orders, newest first, expired and released proxies included. */
async function page(session: Session, query: Query, number: number, signal: AbortSignal) {
  const paging = { page: number, page_size: PAGE_SIZE, show_recycle_bin: true }
  const request = { method: 'GET', path: LIST, query: { ...query, ...paging } } as const
  return readPage(dataOf(await session.call(request, signal)))
}

/** Yields all orders that a query finds, newest first, each once. */
export async function* ordersOf(
  session: Session,
  query: Query,
  signal: AbortSignal,
  pages = Infinity,
): AsyncGenerator<UpstreamOrder> {
  const seen = new Set<string>()
  for (let number = 1; number <= pages; number += 1) {
    const { orders, total } = await page(session, query, number, signal)
    // A service that ignores the page number would answer the first page for ever.
    const fresh = orders.filter(({ orderNo }) => !seen.has(orderNo))
    for (const order of fresh) {
      seen.add(order.orderNo)
      yield order
    }
    if (fresh.length === 0 || number * PAGE_SIZE >= (total ?? Infinity)) return
  }
}

/** Finds an order by the supplier's number, with all of its proxies. */
export async function orderByNumber(
  session: Session,
  orderNo: string,
  signal: AbortSignal,
): Promise<UpstreamOrder | undefined> {
  const isIt = (order: UpstreamOrder) => order.orderNo === orderNo
  return (
    (await firstOf(session, { orderNo }, signal, isIt)) ??
    (await firstOf(session, { search: orderNo }, signal, isIt))
  )
}

/**
 * Finds the order that was placed under the number of a call. A service that ignores that number, or the filters, still shows the
 * remark of its newest orders.
 */
export async function orderByCall(
  session: Session,
  callNo: string,
  signal: AbortSignal,
): Promise<UpstreamOrder | undefined> {
  const isIt = ({ appOrderNo, remark }: UpstreamOrder) => appOrderNo === callNo || remark === callNo
  const order =
    (await firstOf(session, { orderNo: callNo }, signal, isIt)) ??
    (await firstOf(session, { search: callNo }, signal, isIt)) ??
    (await firstOf(session, {}, signal, isIt))
  return order && wholeOrder(session, order, signal)
}

async function firstOf(
  session: Session,
  query: Query,
  signal: AbortSignal,
  isIt: (order: UpstreamOrder) => boolean,
): Promise<UpstreamOrder | undefined> {
  for await (const order of ordersOf(session, query, signal, RECENT_PAGES)) if (isIt(order)) return order
  return undefined
}

/** Finds the order of a proxy by the number of the proxy: looks through all orders. */
export async function orderOfInstance(
  session: Session,
  instanceNo: string,
  signal: AbortSignal,
): Promise<UpstreamOrder | undefined> {
  for await (const some of ordersOf(session, {}, signal)) {
    const order = await wholeOrder(session, some, signal)
    if (order.instances.some(({ providerInstanceNo }) => providerInstanceNo === instanceNo)) return order
  }
  return undefined
}

/**
 * Returns the order with all of its proxies: a list of several orders shows the first ones only.
 *
 * @throws SupplierFault `unknown` when the service does not show all of them
 */
export async function wholeOrder(
  session: Session,
  order: UpstreamOrder,
  signal: AbortSignal,
): Promise<UpstreamOrder> {
  if (order.whole) return order
  const alone = await orderByNumber(session, order.orderNo, signal)
  if (!alone?.whole) throw new SupplierFault('unknown', `Not all proxies of ${order.orderNo} are shown`)
  return alone
}
