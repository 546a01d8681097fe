import type { Book } from './book.ts'
import type { InstanceRecord, OrderRecord, Plan } from './records.ts'
import type { Parameters } from './parameters.ts'
import { endOf } from './periods.ts'
import { badRequest, impossible } from './refusal.ts'
import type { Account, Product } from './types.ts'

type Item = Parameters<'instance/open'>['params'][number]

/** Plans what `instance/open` will do: proxies of one or several products. */
export function planOpening(book: Book, account: Account, orderNo: string, items: readonly Item[]): Plan {
  if (book.behaviour.outOfStock === 'refuses') throw impossible('out of stock')
  const wanted = items.map((item) => ({ item, product: productOf(book, item) }))
  for (const product of new Set(wanted.map(({ product }) => product))) {
    checkStock(
      product,
      wanted.filter((one) => one.product === product).map(({ item }) => item),
    )
  }

  const costs = wanted.map(({ item, product }) => costOf(book, item, product) * BigInt(item.count))
  const amount = costs.reduce((sum, cost) => sum + cost, 0n)
  book.checkFunds(account, amount)

  const made = wanted.flatMap(({ item, product }) =>
    Array.from({ length: item.count }, (_, index) => ({
      instanceNo: makeInstance(book, account, orderNo, item, product).instanceNo,
      ...rangeOf(item, index),
    })),
  )
  for (const { product, item } of wanted) takeStock(product, item)
  return {
    count: made.length,
    instanceNos: made.map(({ instanceNo }) => instanceNo),
    amount,
    work: made,
  }
}

function productOf(book: Book, { productNo }: Item): Product {
  const product = book.products.get(productNo)
  if (!product?.enabled) throw impossible('the product does not exist')
  return product
}

function checkStock(product: Product, items: readonly Item[]): void {
  const count = items.reduce((sum, item) => sum + item.count, 0)
  if (count > product.inventory) throw impossible('out of stock')
  for (const { cidrBlocks, projectId, count: ofItem } of items) {
    if (projectId !== undefined && !product.projects.some(({ code }) => code === projectId))
      throw badRequest('the product does not have the project')
    const ofRanges = cidrBlocks?.reduce((sum, block) => sum + block.count, 0)
    if (ofRanges !== undefined && ofRanges !== ofItem) throw badRequest('cidrBlocks do not add up to count')
  }
  const blocks = items.flatMap(({ cidrBlocks }) => cidrBlocks ?? [])
  for (const cidr of new Set(blocks.map((block) => block.cidr))) {
    const ofRange = blocks.reduce((sum, block) => sum + (block.cidr === cidr ? block.count : 0), 0)
    const range = product.ranges.find((one) => one.cidr === cidr)
    if (!range) throw badRequest('the product does not have the range')
    if (ofRange > range.count) throw impossible('out of stock in the range')
  }
}

function takeStock(product: Product, { count, cidrBlocks = [] }: Item): void {
  product.inventory -= count
  for (const { cidr, count: ofRange } of cidrBlocks) {
    const range = product.ranges.find((one) => one.cidr === cidr)
    if (range) range.count -= ofRange
  }
}

/** Returns the range of the proxy with this index in an item; the ranges are used up in their order. */
function rangeOf({ cidrBlocks = [] }: Item, index: number): { readonly cidr?: string } {
  let left = index
  for (const { cidr, count } of cidrBlocks) {
    if (left < count) return { cidr }
    left -= count
  }
  return {}
}

/** Returns the cost of one proxy for all its periods. */
function costOf(book: Book, { cycleTimes }: Item, product: Product): bigint {
  return book.priceOf(product) * BigInt(cycleTimes)
}

function makeInstance(
  book: Book,
  account: Account,
  orderNo: string,
  item: Item,
  product: Product,
): InstanceRecord {
  const { behaviour, clock } = book
  const openedAt = clock.now()
  const end = endOf(openedAt, product.unit, product.duration * item.cycleTimes)
  return book.addInstance({
    orderNo,
    account,
    product,
    projectId: item.projectId ?? '',
    ip: '',
    openedAt,
    renewedAt: undefined,
    releasedAt: undefined,
    expiresAt: new Date(end.getTime() - behaviour.expiryShortMs),
    status: 2,
    paid: costOf(book, item, product),
  })
}

/** Ends an opening: the proxies that are missing are paid back. */
export function deliver(book: Book, order: OrderRecord, atMost: number): number {
  const delivered = book.behaviour.outOfStock === 'fails' ? 0 : atMost
  order.work.forEach(({ instanceNo, cidr }, index) => {
    const instance = book.instances.get(instanceNo)
    if (!instance) return
    if (index < delivered) {
      instance.ip = book.newAddress(cidr)
      instance.status = 3
      return
    }
    book.instances.delete(instanceNo)
    instance.product.inventory += 1
    order.hasRefund = true
    book.book(order.account, order, instance.paid)
  })
  order.instanceNos.length = delivered
  return delivered
}
