import type { Book } from './book.ts'
import type { OrderRecord, Plan } from './records.ts'
import { release, renew, reset } from './later-orders.ts'
import { deliver } from './opening.ts'
import { impossible } from './refusal.ts'
import type { Account, OrderKind } from './types.ts'

/**
 * Does the work of an order for at most this many of the proxies, and refunds what was charged for the others. Returns how many were
 * done.
 */
type Worker = (book: Book, order: OrderRecord, atMost: number) => number
const WORKERS: Readonly<Record<OrderKind, Worker>> = { open: deliver, renew, release, reset }

/**
 * Accepts an order, once for each number: a number that is known already gets the first answer, whatever it asks now.
 *
 * @param plan throws a refusal where the order is impossible; nothing is written down then
 */
export function processOnce(
  book: Book,
  account: Account,
  kind: OrderKind,
  appOrderNo: string,
  plan: (orderNo: string) => Plan,
): OrderRecord {
  book.see(account, appOrderNo)
  const known = book.known(account, appOrderNo)
  if (known) {
    if (known.kind !== kind || book.behaviour.repeatedNumber === 'refusal')
      throw impossible('the order number was used before')
    return known
  }
  const orderNo = book.nextNumber('P')
  const order: OrderRecord = {
    ...plan(orderNo),
    kind,
    orderNo,
    appOrderNo,
    account,
    createdAt: book.clock.now(),
    status: 1,
    done: 0,
    hasRefund: false,
  }
  book.accept(order)
  return order
}

/** Ends the orders that are due, oldest first. */
export function endDueOrders(book: Book): readonly OrderRecord[] {
  const { behaviour, clock } = book
  const now = clock.now().getTime()
  const open = book.orders.filter(({ status }) => status === 1 || status === 2)
  for (const order of open) if (order.createdAt.getTime() < now) order.status = 2
  if (behaviour.neverCompletes) return []
  const due = open.filter(({ createdAt }) => createdAt.getTime() + behaviour.delayMs <= now)
  for (const order of due) {
    const atMost = order.kind === 'renew' && behaviour.failsRenewals ? 0 : behaviour.deliversAtMost
    order.done = WORKERS[order.kind](book, order, Math.min(atMost, order.count))
    order.status = order.done === order.count ? 3 : order.done === 0 ? 4 : 5
  }
  return due
}

/** Closes the proxies whose time is over. */
export function closeExpired({ clock, instances }: Book): void {
  for (const instance of instances.values())
    if (instance.status === 3 && instance.expiresAt <= clock.now()) instance.status = 10
}
