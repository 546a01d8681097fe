import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { amountOf } from './amounts.ts'
import { createBook } from './book.ts'
import type { InstanceRecord, OrderRecord } from './records.ts'
import { createCallbacks } from './callbacks.ts'
import { encrypted, opened } from './envelope.ts'
import { createFaults, type Hit } from './faults.ts'
import { type Outcome, supplierHttp } from './http.ts'
import type { KeptBook } from './kept-book.ts'
import { createMethods } from './methods.ts'
import { planOpening } from './opening.ts'
import { checked } from './parameters.ts'
import { closeExpired, endDueOrders, processOnce } from './process-order.ts'
import { impossible, Refusal } from './refusal.ts'
import type {
  Account,
  Behaviour,
  Instance,
  Method,
  Order,
  Product,
  RecordedRequest,
  SupplierEmulator,
} from './types.ts'

/** An emulator may run for weeks: only the newest requests are kept. */
const MAX_RECORDED = 20_000
const DAY_S = 86_400

interface EmulatorOptions {
  /** The time by which orders are due and proxies expire. */
  readonly clock: Clock
  readonly account?: Partial<Account>
  /** The port of all proxies: that of the emulated ones, where they run. */
  readonly proxyPort?: number
  /** The number of the first address that it sells; see `addresses.ts`. */
  readonly firstAddress?: number
  /** Where the platform keeps what it has written down, for a later process; without it, it is forgotten. */
  readonly kept?: { get(): KeptBook | undefined; set(book: KeptBook): void }
}

/** Makes an emulator of the platform IPIPV, in memory, with one account and no products, or as it was kept. */
export function createSupplierEmulator({
  clock,
  account: first = {},
  proxyPort = 10_000,
  firstAddress = 0,
  kept,
}: EmulatorOptions): SupplierEmulator {
  const behaviour: Behaviour = {
    delayMs: 0,
    neverCompletes: false,
    deliversAtMost: Infinity,
    priceAtOrder: undefined,
    dearerByPercent: 0,
    failsRenewals: false,
    expiryShortMs: 0,
    outOfStock: 'no',
    repeatedNumber: 'first answer',
    unknownOrder: 'no data',
    showsOtherOrder: false,
    callbacks: { doubled: false, reordered: false },
    callbackNumber: 'ours',
  }
  const book = createBook({ clock, behaviour, proxyPort, firstAddress, kept: kept?.get() })
  let keptText = ''
  const faults = createFaults()
  const methods = createMethods(book)
  const callbacks = createCallbacks(behaviour)
  const recorded: RecordedRequest[] = []

  function addAccount(account: Partial<Account> = {}): Account {
    const added: Account = {
      key: account.key ?? `app_${randomBytes(6).toString('hex')}`,
      secret: account.secret ?? randomBytes(16).toString('hex'),
      coin: account.coin ?? '10000.00',
      credit: account.credit ?? '0.00',
      enabled: account.enabled ?? true,
      callbackUrl: account.callbackUrl,
    }
    if (Buffer.byteLength(added.secret) !== 32) throw new Error('the secret of an account has 32 bytes')
    book.accounts.set(added.key, added)
    return added
  }

  /** Brings the platform to the present: proxies expire, orders end. */
  function catchUp(): void {
    closeExpired(book)
    for (const order of endDueOrders(book)) if (order.kind !== 'reset') callbacks.add(order)
  }

  function keep(): void {
    if (!kept) return
    const now = book.kept()
    const text = JSON.stringify(now)
    if (text !== keptText) kept.set(now)
    keptText = text
  }

  /** Answers a request, after its effects were kept. */
  function handle(method: Method, body: unknown): Outcome {
    const outcome = carriedOut(method, body)
    keep()
    return outcome
  }

  /** Carries a request out; under a fault the work is done before the answer goes wrong, or not at all. */
  function carriedOut(method: Method, body: unknown): Outcome {
    let reqId = ''
    let hit: Hit | undefined
    try {
      const request = opened(body, book.accounts)
      reqId = request.reqId
      const { account } = request
      const parameters = checked(method, request.parameters)
      recorded.push({ method, reqId, accountKey: account.key, parameters, at: clock.now() })
      if (recorded.length > MAX_RECORDED) recorded.shift()
      hit = faults.take(method)
      if (hit && !hit.carriedOut) {
        if (hit.what === 'refuse') throw impossible('the platform is busy')
        return { reqId, code: 500, msg: '', data: '', hit }
      }
      catchUp()
      const answer = methods[method] as (account: Account, parameters: unknown) => unknown
      const data = answer(account, parameters)
      if (hit?.what === 'refuse') throw impossible('the platform is busy')
      return { reqId, code: 200, msg: 'success', data: encrypted(data, account.secret), hit }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { reqId, code: error.code, msg: error.message, data: '', hit }
    }
  }

  function setProduct(product: Partial<Product> & Pick<Product, 'productNo'>): Product {
    const { productNo } = product
    const changed: Product = {
      ...(book.products.get(productNo) ?? newProduct(productNo)),
      ...product,
    }
    const known = book.products.get(productNo)
    // Proxies keep their product: it is changed in place.
    if (known) return Object.assign(known, changed)
    book.products.set(productNo, changed)
    return changed
  }

  const account = [...book.accounts.values()][0] ?? addAccount(first)

  return {
    httpApi: supplierHttp(handle),
    account,
    behaviour,
    faults,
    addAccount,
    setProduct,
    removeProduct: (productNo) => void book.products.delete(productNo),
    products: () => [...book.products.values()],
    product(productNo) {
      const product = book.products.get(productNo)
      if (!product) throw new Error(`no product ${productNo}`)
      return product
    },
    tick() {
      catchUp()
      keep()
      return callbacks.send()
    },
    setInstance(instanceNo, change) {
      const instance = book.instances.get(instanceNo)
      if (!instance) throw new Error(`no instance ${instanceNo}`)
      Object.assign(instance, change)
    },
    openElsewhere(productNo, count) {
      const items = Array.from({ length: Math.ceil(count / 20) }, (_, index) => ({
        productNo,
        count: Math.min(20, count - index * 20),
        cycleTimes: 1,
      }))
      const appOrderNo = book.nextNumber('other')
      return orderView(
        processOnce(book, account, 'open', appOrderNo, (orderNo) =>
          planOpening(book, account, orderNo, items),
        ),
      )
    },
    orders: () => book.orders.map(orderView),
    order(number) {
      const order = book.orders.find((one) => one.orderNo === number || one.appOrderNo === number)
      return order && orderView(order)
    },
    uses: (appOrderNo) => ({
      seen: book.timesSeen(appOrderNo),
      processed: book.orders.filter((order) => order.appOrderNo === appOrderNo).length,
    }),
    instances: () => [...book.instances.values()].map(instanceView),
    charges: () =>
      book.charges.map((charge) => ({
        accountKey: charge.account.key,
        orderNo: charge.order.orderNo,
        appOrderNo: charge.order.appOrderNo,
        why: charge.units < 0n ? 'charge' : 'refund',
        amount: amountOf(charge.units),
      })),
    requests: (method) => recorded.filter((request) => method === undefined || request.method === method),
    callbacks: callbacks.sent,
  }
}

function newProduct(productNo: string): Product {
  return {
    productNo,
    productName: productNo,
    proxyType: 103,
    countryCode: 'USA',
    stateCode: 'USA001',
    cityCode: 'USA001001',
    cityName: 'Los Angeles',
    costPrice: '2.5',
    inventory: 1000,
    unit: 1,
    duration: 30,
    enabled: true,
    useType: '1',
    ranges: [],
    projects: [],
    refundSeconds: DAY_S,
  }
}

function orderView(order: OrderRecord): Order {
  const { kind, orderNo, appOrderNo, account, count, createdAt, status, done, amount, instanceNos } = order
  return {
    kind,
    orderNo,
    appOrderNo,
    accountKey: account.key,
    count,
    createdAt,
    status,
    done,
    amount: amountOf(amount),
    instanceNos: [...instanceNos],
  }
}

function instanceView({ account, product, ...instance }: InstanceRecord): Instance {
  const { instanceNo, orderNo, ip, port, username, password, openedAt, expiresAt, status } = instance
  return {
    instanceNo,
    orderNo,
    accountKey: account.key,
    productNo: product.productNo,
    ip,
    port,
    username,
    password,
    openedAt,
    expiresAt,
    status,
  }
}
