import { type Book, newPassword } from './book.ts'
import type { InstanceRecord, OrderRecord, Plan, WorkItem } from './records.ts'
import type { Parameters } from './parameters.ts'
import { endOf } from './periods.ts'
import { impossible } from './refusal.ts'
import type { Account } from './types.ts'

/** Plans what `instance/renew` will do. The proxies stay as they are until it is done. */
export function planRenewal(
  book: Book,
  account: Account,
  asked: Parameters<'instance/renew'>['instances'],
): Plan {
  const work = asked.map(({ instanceNo, cycleTimes }) => {
    const { product } = running(book, account, instanceNo)
    return {
      instanceNo,
      price: book.priceOf(product) * BigInt(cycleTimes),
      length: product.duration * cycleTimes,
    }
  })
  const amount = work.reduce((sum, { price }) => sum + price, 0n)
  book.checkFunds(account, amount)
  return { ...planOf(work), amount }
}

/** Ends a renewal: what was not prolonged is paid back. */
export function renew(book: Book, order: OrderRecord, atMost: number): number {
  const now = book.clock.now()
  let done = 0
  for (const { instanceNo, price = 0n, length = 0 } of order.work) {
    const instance = book.instances.get(instanceNo)
    if (done < atMost && instance?.status === 3) {
      const end = endOf(instance.expiresAt, instance.product.unit, length)
      instance.expiresAt = new Date(end.getTime() - book.behaviour.expiryShortMs)
      instance.renewedAt = now
      instance.paid += price
      done += 1
    } else {
      order.hasRefund = true
      book.book(order.account, order, price)
    }
  }
  return done
}

/** Plans what `instance/release` will do; the price comes back within the time for refunds of the product. */
export function planRelease(book: Book, account: Account, numbers: readonly string[]): Plan {
  const released = numbers.map((instanceNo) => running(book, account, instanceNo))
  const amount = released.reduce((sum, instance) => sum + refundOf(book, instance), 0n)
  return { ...planOf(released.map(({ instanceNo }) => ({ instanceNo }))), amount }
}

/** Ends a release. */
export function release(book: Book, order: OrderRecord, atMost: number): number {
  const done = instancesOf(book, order)
    .filter(({ status }) => status === 3)
    .slice(0, atMost)
  order.amount = 0n
  for (const instance of done) {
    order.amount += refundOf(book, instance)
    instance.status = 11
    instance.releasedAt = book.clock.now()
    instance.product.inventory += 1
  }
  book.book(order.account, order, order.amount)
  return done.length
}

/** Plans what `instance/reset/password` will do. */
export function planReset(book: Book, account: Account, numbers: readonly string[]): Plan {
  for (const instanceNo of numbers) running(book, account, instanceNo)
  return { ...planOf(numbers.map((instanceNo) => ({ instanceNo }))), amount: 0n }
}

/** Ends a reset. */
export function reset(book: Book, order: OrderRecord, atMost: number): number {
  const done = instancesOf(book, order).slice(0, atMost)
  for (const instance of done) instance.password = newPassword()
  return done.length
}

function planOf(work: readonly WorkItem[]): Omit<Plan, 'amount'> {
  return { count: work.length, instanceNos: work.map(({ instanceNo }) => instanceNo), work }
}

function instancesOf({ instances }: Book, { work }: OrderRecord): InstanceRecord[] {
  return work.flatMap(({ instanceNo }) => instances.get(instanceNo) ?? [])
}

function refundOf({ clock }: Book, { paid, openedAt, product }: InstanceRecord): bigint {
  return clock.now().getTime() <= openedAt.getTime() + product.refundSeconds * 1000 ? paid : 0n
}

function running(book: Book, account: Account, instanceNo: string): InstanceRecord {
  const instance = book.instanceOf(account, instanceNo)
  if (!instance) throw impossible('the instance does not exist')
  if (instance.status !== 3) throw impossible('the instance does not run')
  return instance
}
