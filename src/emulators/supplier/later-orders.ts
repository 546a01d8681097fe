import { unitsOf } from './amounts.ts'
import { type Book, type InstanceRecord, newPassword } from './book.ts'
import type { Parameters } from './parameters.ts'
import { endOf } from './periods.ts'
import type { Plan } from './process-order.ts'
import { impossible } from './refusal.ts'
import type { Account } from './types.ts'

/** What `instance/renew` will do. The proxies stay as they are until it is done. */
export function planRenewal(
  book: Book,
  account: Account,
  asked: Parameters<'instance/renew'>['instances'],
): Plan {
  const { behaviour } = book
  const renewals = asked.map(({ instanceNo, cycleTimes }) => {
    const instance = running(book, account, instanceNo)
    const { product } = instance
    const price = unitsOf(behaviour.priceAtOrder ?? product.costPrice) * BigInt(cycleTimes)
    return { instance, price, length: product.duration * cycleTimes }
  })
  const amount = renewals.reduce((sum, { price }) => sum + price, 0n)
  book.checkFunds(account, amount)
  return {
    count: renewals.length,
    instanceNos: renewals.map(({ instance }) => instance.instanceNo),
    amount,
    carryOut(order, atMost) {
      const now = book.clock.now()
      let done = 0
      for (const { instance, price, length } of renewals) {
        if (done < atMost && instance.status === 3) {
          const end = endOf(instance.expiresAt, instance.product.unit, length)
          instance.expiresAt = new Date(end.getTime() - behaviour.expiryShortMs)
          instance.renewedAt = now
          instance.paid += price
          done += 1
        } else {
          order.hasRefund = true
          book.book(account, order, price)
        }
      }
      return done
    },
  }
}

/** What `instance/release` will do; the price comes back within the time for refunds of the product. */
export function planRelease(book: Book, account: Account, numbers: readonly string[]): Plan {
  const released = numbers.map((instanceNo) => running(book, account, instanceNo))
  const refundOf = ({ paid, openedAt, product }: InstanceRecord) =>
    book.clock.now().getTime() <= openedAt.getTime() + product.refundSeconds * 1000 ? paid : 0n
  return {
    count: released.length,
    instanceNos: released.map(({ instanceNo }) => instanceNo),
    amount: released.reduce((sum, instance) => sum + refundOf(instance), 0n),
    carryOut(order, atMost) {
      const done = released.filter(({ status }) => status === 3).slice(0, atMost)
      order.amount = 0n
      for (const instance of done) {
        order.amount += refundOf(instance)
        instance.status = 11
        instance.releasedAt = book.clock.now()
        instance.product.inventory += 1
      }
      book.book(account, order, order.amount)
      return done.length
    },
  }
}

/** What `instance/reset/password` will do. */
export function planReset(book: Book, account: Account, numbers: readonly string[]): Plan {
  const reset = numbers.map((instanceNo) => running(book, account, instanceNo))
  return {
    count: reset.length,
    instanceNos: [...numbers],
    amount: 0n,
    carryOut(_, atMost) {
      const done = reset.slice(0, atMost)
      for (const instance of done) instance.password = newPassword()
      return done.length
    },
  }
}

function running(book: Book, account: Account, instanceNo: string): InstanceRecord {
  const instance = book.instanceOf(account, instanceNo)
  if (!instance) throw impossible('the instance does not exist')
  if (instance.status !== 3) throw impossible('the instance does not run')
  return instance
}
