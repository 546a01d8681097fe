import type { Account, InstanceStatus, OrderKind, OrderStatus, Product } from './types.ts'

/** What an order does with one of its proxies. */
export interface WorkItem {
  readonly instanceNo: string
  /** Of an opening: the range that was chosen. */
  readonly cidr?: string
  /** Of a renewal: what was charged, in units of 10^-6, and by how many units of the product it prolongs. */
  readonly price?: bigint
  readonly length?: number
}

/** What an order will do. */
export interface Plan {
  readonly count: number
  readonly instanceNos: string[]
  /** What is charged now, or given back at the end; in units of 10^-6. */
  readonly amount: bigint
  readonly work: readonly WorkItem[]
}

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
  /** What was charged, or is to be given back; in units of 10^-6. */
  amount: bigint
  hasRefund: boolean
  /** What is to be done when the order is due. */
  readonly work: readonly WorkItem[]
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
  /** What was paid for the whole time up to the expiry, in units of 10^-6. */
  paid: bigint
}

export interface ChargeRecord {
  readonly order: Pick<OrderRecord, 'orderNo' | 'appOrderNo'>
  readonly account: Account
  readonly units: bigint
}
