import { z } from 'zod'
import {
  type Ended,
  type Found,
  type OpenRequest,
  type Placed,
  type ReleaseRequest,
  type RenewRequest,
  SupplierFault,
  type SupplierInstance,
  type SupplierOrder,
} from '../../core/supply/driver.ts'
import { DECIMAL, magnitude } from '../decimal.ts'
import { type Api, CodedRefusal, type Method, shaped } from './api.ts'
import { allPages, Instance, instanceOf, PAGE_SIZE, pageOf, readInstances } from './instances.ts'
import { openParameters } from './open.ts'

/** What the platform keeps as an order; resets of passwords are none. */
export type OrderRequest = OpenRequest | RenewRequest | ReleaseRequest

const WAITING = 1
const UNDER_WAY = 2
const DONE = 3
const FAILED = 4
const PARTLY_DONE = 5
const TYPES = { open: 1, renew: 2, release: 3 } as const

const METHODS = {
  open: 'instance/open',
  renew: 'instance/renew',
  release: 'instance/release',
} as const satisfies Record<OrderRequest['kind'], Method>

const orderNo = z.string().min(1).max(64)
const Accepted = z.object({ orderNo, appOrderNo: z.string() })

const Order = z.object({
  orderNo,
  appOrderNo: z.string(),
  type: z.int().optional(),
  status: z.literal([WAITING, UNDER_WAY, DONE, FAILED, PARTLY_DONE]),
  amount: z.string().optional(),
  total: z.int().default(0),
  instances: z
    .array(Instance)
    .nullish()
    .transform((instances) => instances ?? []),
})
type Order = z.output<typeof Order>

/** Sends an order. The platform processes each number once, and carries all orders out later. */
export async function placeOrder(api: Api, request: OrderRequest, signal: AbortSignal): Promise<Placed> {
  const method = METHODS[request.kind]
  const answer = shaped(Accepted, method, await api.act(method, parametersOf(request), signal))
  if (answer.appOrderNo !== request.callNo)
    throw new SupplierFault('unknown', `${method}: the answer is about another order`)
  return { status: 'accepted', providerOrderNo: answer.orderNo }
}

function parametersOf(request: OrderRequest): object {
  if (request.kind === 'open') return openParameters(request)
  if (request.kind === 'renew')
    return {
      appOrderNo: request.callNo,
      instances: request.instances.map(({ providerInstanceNo }) => ({
        instanceNo: providerInstanceNo,
        cycleTimes: request.periods,
      })),
    }
  return {
    // The SDK and the documentation name the same number differently.
    orderNo: request.callNo,
    appOrderNo: request.callNo,
    instances: request.instances.map(({ providerInstanceNo }) => providerInstanceNo),
  }
}

/** Finds what became of an order, by the platform's number where it is known, else by the number of the call. */
export async function findOrder(
  api: Api,
  request: OrderRequest,
  providerOrderNo: string | null,
  signal: AbortSignal,
): Promise<Found> {
  const byTheirs =
    providerOrderNo === null ? undefined : await readOrder(api, { orderNo: providerOrderNo }, signal)
  const order = byTheirs ?? (await readOrder(api, { appOrderNo: request.callNo }, signal))
  if (order === undefined) return { status: 'absent' }
  if (byTheirs === undefined && order.appOrderNo !== request.callNo)
    throw new SupplierFault('unknown', 'order: the answer is about another order')
  if (order.type !== undefined && order.type !== TYPES[request.kind])
    throw new SupplierFault('unknown', `order: ${order.orderNo} is of another kind (type ${order.type})`)

  const open: Found = { status: 'open', providerOrderNo: order.orderNo }
  if (order.status === WAITING || order.status === UNDER_WAY) return open
  return (await resultOf(api, request, order, signal)) ?? open
}

/**
 * Reads an order, with the instances of all its pages; undefined where the platform does not know it.
 *
 * No document says how it answers for an unknown number. Taken as such: 200 without data or without an order in it, and a refusal whose
 * text says literally that the order does not exist. Any other code proves nothing.
 */
async function readOrder(
  api: Api,
  number: { readonly orderNo: string } | { readonly appOrderNo: string },
  signal: AbortSignal,
): Promise<Order | undefined> {
  let first: Order | undefined
  const instances = await allPages(async (page) => {
    const order = await readPage(api, { ...number, page, pageSize: PAGE_SIZE }, signal)
    first ??= order
    return { total: order?.total ?? 0, list: order?.instances ?? [] }
  })
  return (
    first && { ...first, instances: [...new Map(instances.map((row) => [row.instanceNo, row])).values()] }
  )
}

async function readPage(api: Api, parameters: object, signal: AbortSignal): Promise<Order | undefined> {
  try {
    const data = await api.look('order', parameters, signal)
    return holdsNoOrder(data) ? undefined : shaped(Order, 'order', data)
  } catch (error) {
    if (error instanceof CodedRefusal && saysUnknownOrder(error.text)) return undefined
    throw error
  }
}

function holdsNoOrder(data: unknown): boolean {
  if (data === undefined) return true
  if (Array.isArray(data)) return data.length === 0
  if (typeof data !== 'object' || data === null) return false
  const { orderNo, appOrderNo, status } = data as Record<string, unknown>
  // Go writes an empty structure with all its fields.
  return (orderNo ?? '') === '' && (appOrderNo ?? '') === '' && (status ?? 0) === 0
}

function saysUnknownOrder(text: string): boolean {
  return /^(订单不存在|order (does not exist|not exist|not found))[.!。!]?$/i.test(text.trim())
}

/** Returns the result of an order that the platform calls ended; undefined while what it shows of the proxies contradicts that. */
async function resultOf(
  api: Api,
  request: OrderRequest,
  order: Order,
  signal: AbortSignal,
): Promise<Ended | undefined> {
  const wanted = request.kind === 'open' ? request.count : request.instances.length
  const instances = await doneBy(api, request, order, signal)
  if (instances === undefined) return undefined
  return {
    status: 'ended',
    providerOrderNo: order.orderNo,
    ...amountOf(order),
    instances,
    ...(instances.length < wanted && { reason: reasonOf(order, instances.length, wanted) }),
  }
}

async function doneBy(
  api: Api,
  request: OrderRequest,
  order: Order,
  signal: AbortSignal,
): Promise<readonly SupplierInstance[] | undefined> {
  if (request.kind === 'open') return openedBy(request, order)
  // A renewal or release that failed may leave the proxies running as they were.
  if (order.status === FAILED) return []
  const numbers = request.instances.map(({ providerInstanceNo }) => providerInstanceNo)
  const shown = await readInstances(api.look, numbers, signal)
  return request.kind === 'renew' ? renewedBy(request, order, shown) : releasedBy(order, shown)
}

/** Returns the running proxies that an order opened; undefined while some are being made, or missing from an order that is done. */
function openedBy(
  request: OpenRequest,
  { status, instances }: Order,
): readonly SupplierInstance[] | undefined {
  const shown = instances.map(instanceOf)
  const isMissing = shown.includes(undefined) || (status === DONE && shown.length < request.count)
  return isMissing ? undefined : shown.flatMap((one) => (one?.status === 'running' ? [one] : []))
}

/** Returns the proxies whose expiry an order moved; undefined where that is unclear, or not all moved although the order is done. */
function renewedBy(
  request: RenewRequest,
  { status }: Order,
  shown: readonly SupplierInstance[],
): readonly SupplierInstance[] | undefined {
  const before = new Map(request.instances.map((asked) => [asked.providerInstanceNo, asked.expireTime]))
  const isKnown = request.instances.every(({ expireTime }) => expireTime !== null)
  if (status !== DONE && !isKnown) return undefined
  const renewed = shown.filter((one) => isLater(one.expireTime, before.get(one.providerInstanceNo)))
  return status === DONE && renewed.length < request.instances.length ? undefined : renewed
}

/** Returns the shown proxies that have ended; undefined where not all of them have, although the order is done. */
function releasedBy(
  { status }: Order,
  shown: readonly SupplierInstance[],
): readonly SupplierInstance[] | undefined {
  const ended = shown.filter((one) => one.status === 'released' || one.status === 'closed')
  return status === DONE && ended.length < shown.length ? undefined : ended
}

/** Whether an expiry has moved; where the former one is not known, there is nothing to compare with. */
function isLater(expireTime: string | undefined, before: string | null | undefined): boolean {
  return expireTime !== undefined && (!before || Date.parse(expireTime) > Date.parse(before))
}

/**
 * Returns what an order cost or brought. Left out unless it is done: whether the amount of another is before or after the refund is
 * not documented, so that no book can be compared with it either.
 */
function amountOf({ status, amount }: { readonly status: number; readonly amount?: string | undefined }): {
  readonly amount?: string
} {
  return status === DONE && amount !== undefined && DECIMAL.test(amount) ? { amount: magnitude(amount) } : {}
}

function reasonOf({ status }: Order, done: number, wanted: number): string {
  return status === FAILED ? 'the order failed at the supplier' : `the supplier did ${done} of ${wanted}`
}

const ListedOrder = z.object({
  orderNo,
  appOrderNo: z.string().default(''),
  status: z.int(),
  count: z.int().default(0),
  amount: z.string().optional(),
  createdAt: z.iso.datetime({ offset: true }),
})

const LISTED_STATUSES: Readonly<Record<number, SupplierOrder['status']>> = {
  [WAITING]: 'open',
  [UNDER_WAY]: 'open',
  [DONE]: 'done',
  [FAILED]: 'failed',
  [PARTLY_DONE]: 'partial',
}

const DAY_MS = 86_400_000

/** Reads the orders of the account since a moment, of at most 365 days. */
export async function readOrders(
  api: Api,
  since: Date,
  signal: AbortSignal,
): Promise<readonly SupplierOrder[]> {
  // In which time zone the platform reads the text is not documented: a day more is asked for, and left out by the time of each order.
  const startTime = new Date(since.getTime() - DAY_MS).toISOString().slice(0, 19).replace('T', ' ')
  const rows = await allPages(async (page) => {
    const data = await api.read('order/list', { page, pageSize: PAGE_SIZE, startTime }, signal)
    return shaped(pageOf(ListedOrder), 'order/list', data ?? {})
  })
  const unique = new Map(rows.map((row) => [row.orderNo, row]))
  return [...unique.values()]
    .filter(({ createdAt }) => Date.parse(createdAt) >= since.getTime())
    .map((row) => ({
      ...(row.appOrderNo !== '' && { callNo: row.appOrderNo }),
      providerOrderNo: row.orderNo,
      count: row.count,
      ...amountOf(row),
      createdAt: new Date(row.createdAt).toISOString(),
      status: LISTED_STATUSES[row.status] ?? 'open',
    }))
}
