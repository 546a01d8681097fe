import type { InstanceRecord, OrderRecord } from './records.ts'
import type { Account, Product } from './types.ts'

/** What the platform has written down, but for what only tests look at. */
export interface Pages {
  /** Accounts by key. */
  readonly accounts: Map<string, Account>
  /** Products that are sold, by number. */
  readonly products: Map<string, Product>
  readonly orders: OrderRecord[]
  readonly instances: Map<string, InstanceRecord>
  /** How often each number of a buyer arrived. */
  readonly seen: Map<string, number>
  /** How many addresses were given out, by range. */
  readonly addressesOf: Map<string, number>
  numbers: number
}

/** The pages as JSON: amounts and times as text, accounts and products by their index in the lists. */
export interface KeptBook {
  readonly accounts: readonly Account[]
  readonly products: readonly { readonly product: Product; readonly isSold: boolean }[]
  readonly orders: readonly Kept<OrderRecord>[]
  readonly instances: readonly Kept<InstanceRecord>[]
  readonly seen: readonly (readonly [string, number])[]
  readonly addressesOf: readonly (readonly [string, number])[]
  readonly numbers: number
}

type Kept<T> = {
  readonly [Key in keyof T]: Key extends 'account' | 'product'
    ? number
    : T[Key] extends bigint | Date
      ? string
      : T[Key] extends Date | undefined
        ? string | undefined
        : Key extends 'work'
          ? readonly KeptWork[]
          : T[Key]
}

type KeptWork = Omit<OrderRecord['work'][number], 'price'> & { readonly price?: string }

export function keptBook(pages: Pages): KeptBook {
  const accounts = [...pages.accounts.values()]
  const sold = new Set(pages.products.values())
  const products = [...new Set([...sold, ...[...pages.instances.values()].map(({ product }) => product)])]
  return {
    accounts,
    products: products.map((product) => ({ product, isSold: sold.has(product) })),
    orders: pages.orders.map((order) => ({
      ...order,
      account: accounts.indexOf(order.account),
      amount: order.amount.toString(),
      createdAt: order.createdAt.toISOString(),
      work: order.work.map(({ price, ...item }) => ({
        ...item,
        ...(price !== undefined && { price: price.toString() }),
      })),
    })),
    instances: [...pages.instances.values()].map((instance) => ({
      ...instance,
      account: accounts.indexOf(instance.account),
      product: products.indexOf(instance.product),
      openedAt: instance.openedAt.toISOString(),
      renewedAt: instance.renewedAt?.toISOString(),
      releasedAt: instance.releasedAt?.toISOString(),
      expiresAt: instance.expiresAt.toISOString(),
      paid: instance.paid.toString(),
    })),
    seen: [...pages.seen],
    addressesOf: [...pages.addressesOf],
    numbers: pages.numbers,
  }
}

/** Returns the pages that were kept, or empty ones. */
export function restoredBook(kept: KeptBook | undefined): Pages {
  if (!kept) {
    return {
      accounts: new Map(),
      products: new Map(),
      orders: [],
      instances: new Map(),
      seen: new Map(),
      addressesOf: new Map(),
      numbers: 0,
    }
  }
  const accounts = kept.accounts.map((account) => ({ ...account }))
  const products = kept.products.map(({ product }) => ({ ...product }))
  return {
    accounts: new Map(accounts.map((account) => [account.key, account])),
    products: new Map(
      products
        .filter((_, index) => kept.products[index]?.isSold)
        .map((product) => [product.productNo, product]),
    ),
    orders: kept.orders.map((order) => ({
      ...order,
      account: at(accounts, order.account),
      amount: BigInt(order.amount),
      createdAt: new Date(order.createdAt),
      work: order.work.map(({ price, ...item }) => ({
        ...item,
        ...(price !== undefined && { price: BigInt(price) }),
      })),
    })),
    instances: new Map(
      kept.instances.map((instance) => [
        instance.instanceNo,
        {
          ...instance,
          account: at(accounts, instance.account),
          product: at(products, instance.product),
          openedAt: new Date(instance.openedAt),
          renewedAt: timeOf(instance.renewedAt),
          releasedAt: timeOf(instance.releasedAt),
          expiresAt: new Date(instance.expiresAt),
          paid: BigInt(instance.paid),
        },
      ]),
    ),
    seen: new Map(kept.seen),
    addressesOf: new Map(kept.addressesOf),
    numbers: kept.numbers,
  }
}

function timeOf(kept: string | undefined): Date | undefined {
  return kept === undefined ? undefined : new Date(kept)
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error('what the emulator kept is not whole')
  return found
}
