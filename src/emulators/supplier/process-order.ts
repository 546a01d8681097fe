import type { Book, OrderRecord } from './book.ts'
import { impossible } from './refusal.ts'
import type { Account, OrderKind } from './types.ts'

/** What a kind of order does. */
export interface Plan {
  readonly count: number
  readonly instanceNos: string[]
  /** What is charged now, or given back at the end; in units of 10^-6. */
  readonly amount: bigint
  /** See {@link OrderRecord.carryOut}. */
  readonly carryOut: (order: OrderRecord, atMost: number) => number
}

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
  const { carryOut, ...planned } = plan(orderNo)
  const order: OrderRecord = {
    ...planned,
    kind,
    orderNo,
    appOrderNo,
    account,
    createdAt: book.clock.now(),
    status: 1,
    done: 0,
    hasRefund: false,
    carryOut: (atMost) => carryOut(order, atMost),
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
    order.done = order.carryOut(Math.min(behaviour.deliversAtMost, order.count))
    order.status = order.done === order.count ? 3 : order.done === 0 ? 4 : 5
  }
  return due
}

/** Closes the proxies whose time is over. */
export function closeExpired({ clock, instances }: Book): void {
  for (const instance of instances.values())
    if (instance.status === 3 && instance.expiresAt <= clock.now()) instance.status = 10
}
