import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { addressIn, addressOf } from './addresses.ts'
import { amountOf, unitsOf } from './amounts.ts'
import { impossible } from './refusal.ts'
import type { Account, Behaviour, InstanceStatus, OrderKind, OrderStatus, Product } from './types.ts'

export interface OrderRecord {
  readonly kind: OrderKind
  readonly orderNo: string
  readonly appOrderNo: string
  readonly account: Account
  readonly count: number
  readonly createdAt: Date
  readonly instanceNos: string[]
  status: OrderStatus
  done: number
  /** Charged, or to be given back; in units of 10^-6. */
  amount: bigint
  hasRefund: boolean
  /**
   * Does the work for so many of the proxies, when the order is due; what is given back for the others is its business, too.
   *
   * @returns how many were done
   */
  readonly carryOut: (atMost: number) => number
}

export interface InstanceRecord {
  readonly instanceNo: string
  readonly orderNo: string
  readonly account: Account
  readonly product: Product
  readonly projectId: string
  /** Empty while it is being made. */
  ip: string
  readonly port: number
  readonly username: string
  password: string
  readonly openedAt: Date
  renewedAt: Date | undefined
  releasedAt: Date | undefined
  expiresAt: Date
  status: InstanceStatus
  /** For the whole time up to the expiry. */
  paid: bigint
}

export interface ChargeRecord {
  readonly order: Pick<OrderRecord, 'orderNo' | 'appOrderNo'>
  readonly account: Account
  readonly units: bigint
}

export type Book = ReturnType<typeof createBook>

/** All that the platform has written down. */
export function createBook(clock: Clock, behaviour: Behaviour, proxyPort: number) {
  const accounts = new Map<string, Account>()
  const products = new Map<string, Product>()
  const orders: OrderRecord[] = []
  const byNumber = new Map<string, OrderRecord>()
  const seen = new Map<string, number>()
  const instances = new Map<string, InstanceRecord>()
  const charges: ChargeRecord[] = []
  const addressesOf = new Map<string, number>()
  let numbers = 0

  const buyersKey = (account: Account, appOrderNo: string) => `${account.key} ${appOrderNo}`

  /** An account's money moves with an order: down for a charge. */
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

    nextNumber: (prefix: string) => `${prefix}${String((numbers += 1)).padStart(10, '0')}`,

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

    /** The order with a number of the buyer, whatever its kind. */
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

    /** A proxy that is being made. */
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

    /** An address that nobody else has, in a range if one was chosen. */
    newAddress(cidr: string | undefined): string {
      const index = addressesOf.get(cidr ?? '') ?? 0
      addressesOf.set(cidr ?? '', index + 1)
      return cidr === undefined ? addressOf(index) : addressIn(cidr, index)
    },
  }
}

/** Without characters that links and lines of proxies would have to escape. */
export function newPassword(): string {
  return randomBytes(9).toString('hex')
}
