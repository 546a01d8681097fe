import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { addressIn, addressOf } from './addresses.ts'
import { amountOf, unitsOf } from './amounts.ts'
import { type KeptBook, keptBook, restoredBook } from './kept-book.ts'
import type { ChargeRecord, InstanceRecord, OrderRecord } from './records.ts'
import { impossible } from './refusal.ts'
import type { Account, Behaviour, Product } from './types.ts'

export type Book = ReturnType<typeof createBook>

interface BookOptions {
  readonly clock: Clock
  readonly behaviour: Behaviour
  readonly proxyPort: number
  readonly firstAddress: number
  /** The book of an earlier process. */
  readonly kept: KeptBook | undefined
}

/** Makes the book: all that the platform has written down. */
export function createBook({ clock, behaviour, proxyPort, firstAddress, kept }: BookOptions) {
  const pages = restoredBook(kept)
  const { accounts, products, orders, instances, seen, addressesOf } = pages
  const charges: ChargeRecord[] = []

  const buyersKey = (account: Account, appOrderNo: string) => `${account.key} ${appOrderNo}`
  const byNumber = new Map(orders.map((order) => [buyersKey(order.account, order.appOrderNo), order]))

  /** Moves an account's money with an order; `units` are negative for a charge. */
  function book(account: Account, order: ChargeRecord['order'], units: bigint): void {
    if (units === 0n) return
    account.coin = amountOf(unitsOf(account.coin) + units)
    charges.push({ account, order, units })
  }

  return {
    clock,
    behaviour,
    accounts,
    products,
    orders,
    instances,
    charges,
    book,

    /** Returns what a later process needs to go on. */
    kept: (): KeptBook => keptBook(pages),

    nextNumber: (prefix: string) => `${prefix}${String((pages.numbers += 1)).padStart(10, '0')}`,

    /** Returns the price of one proxy for one period, at the moment of the order. */
    priceOf({ costPrice }: Product): bigint {
      const price = unitsOf(behaviour.priceAtOrder ?? costPrice)
      return price + (price * BigInt(behaviour.dearerByPercent)) / 100n
    },

    /** Counts the arrival of a number. */
    see(account: Account, appOrderNo: string): void {
      const key = buyersKey(account, appOrderNo)
      seen.set(key, (seen.get(key) ?? 0) + 1)
    },
    timesSeen: (appOrderNo: string) =>
      [...accounts.values()].reduce(
        (sum, account) => sum + (seen.get(buyersKey(account, appOrderNo)) ?? 0),
        0,
      ),

    /** Finds the order with a number of the buyer, whatever its kind. */
    known: (account: Account, appOrderNo: string) => byNumber.get(buyersKey(account, appOrderNo)),

    /** Refuses what the account cannot pay. */
    checkFunds(account: Account, amount: bigint): void {
      if (unitsOf(account.coin) + unitsOf(account.credit) < amount) throw impossible('insufficient balance')
    },

    /** Charges an order and writes it down; from now on its number is known. */
    accept(order: OrderRecord): void {
      const { account, amount } = order
      if (order.kind === 'open' || order.kind === 'renew') book(account, order, -amount)
      orders.push(order)
      byNumber.set(buyersKey(account, order.appOrderNo), order)
    },

    instanceOf(account: Account, instanceNo: string): InstanceRecord | undefined {
      const instance = instances.get(instanceNo)
      return instance?.account === account ? instance : undefined
    },

    /** Adds a proxy that is being made. */
    addInstance(
      start: Omit<InstanceRecord, 'instanceNo' | 'port' | 'username' | 'password'>,
    ): InstanceRecord {
      const instanceNo = `c_${randomBytes(8).toString('hex')}`
      const instance: InstanceRecord = {
        ...start,
        instanceNo,
        port: proxyPort,
        username: `u${instanceNo.slice(2, 12)}`,
        password: newPassword(),
      }
      instances.set(instanceNo, instance)
      return instance
    },

    /** Gives out a new address, in a range if one was chosen. */
    newAddress(cidr: string | undefined): string {
      const index = addressesOf.get(cidr ?? '') ?? 0
      addressesOf.set(cidr ?? '', index + 1)
      return cidr === undefined ? addressOf(firstAddress + index) : addressIn(cidr, index)
    },
  }
}

/** Makes a password without characters that links and lines of proxies would have to escape. */
export function newPassword(): string {
  return randomBytes(9).toString('hex')
}
