import type { CallKind, CallState, InstanceStatus } from '../../generated/kysely/tables.ts'
import { type Micros, toText } from '../money.ts'
import type { SupplierInstance, SupplierOrder } from './driver.ts'
import { inAccountCurrency } from './supplier-amount.ts'
import type { SupplierDifference } from '../facts/supplier-difference.ts'

/** Tolerated difference of expiry times, in ms. */
const EXPIRY_DRIFT_MS = 12 * 60 * 60_000

/** A call as the comparison needs it. */
export interface ComparedCall {
  readonly callNo: string
  readonly kind: CallKind
  readonly state: CallState
  readonly orderNo: string
  readonly providerOrderNo: string | null
  readonly cost: Micros | null
  readonly createdAt: string
  /** Null when it has ended. */
  readonly nextAt: string | null
  /** 1 while the proxies that it delivered are not handed over. */
  readonly undelivered: 0 | 1
}

/** A proxy from the supplier as the comparison needs it. */
export interface ComparedProxy {
  readonly providerInstanceNo: string
  readonly orderNo: string
  readonly status: InstanceStatus
  readonly ip: string
  readonly port: number
  readonly expireTime: string
  /** End of the supplier's term as recorded here. */
  readonly supplierExpireTime: string | null
}

export interface OurBooks {
  readonly calls: readonly ComparedCall[]
  readonly proxies: readonly ComparedProxy[]
}

/** What the supplier lists. */
export interface TheirBooks {
  readonly orders: readonly SupplierOrder[]
  readonly running: readonly SupplierInstance[]
}

interface Terms {
  readonly now: Date
  /** Start of the time in which orders are compared. */
  readonly since: Date
  readonly rate: Micros
  /** Start of the time in which amounts are compared. */
  readonly rateSince: Date
  /** Whether the supplier takes proxies back. */
  readonly releases: boolean
}

/** Differences, and suspects that the supplier is asked about before they count as differences. */
export interface Comparison {
  readonly ofOrders: readonly SupplierDifference[]
  readonly ofProxies: readonly SupplierDifference[]
  /** Calls of which the supplier lists no order. */
  readonly unlisted: readonly ComparedCall[]
  /** Customers' proxies that the supplier does not list as running. */
  readonly stopped: readonly ComparedProxy[]
}

/** Compares both books (rules 11.7). */
export function compareBooks(ours: OurBooks, theirs: TheirBooks, terms: Terms): Comparison {
  const match = matcher(ours.calls)
  const matched = theirs.orders.map((order) => ({ order, call: match(order) }))
  const listed = new Set(matched.flatMap(({ call }) => call?.callNo ?? []))
  const proxies = new Map(ours.proxies.map((proxy) => [proxy.providerInstanceNo, proxy]))
  const running = new Set(theirs.running.map(({ providerInstanceNo }) => providerInstanceNo))
  const busy = busyOrders(ours.calls)
  return {
    ofOrders: matched.flatMap(({ order, call }) => differencesOfOrder(order, call, ours, terms)),
    ofProxies: theirs.running.flatMap((theirProxy) => {
      const proxy = proxies.get(theirProxy.providerInstanceNo)
      if (!proxy) return mayBeOnItsWay(theirProxy, ours.calls) ? [] : notOurs(theirProxy)
      return busy.has(proxy.orderNo) ? [] : differencesOfProxy(theirProxy, proxy, terms)
    }),
    unlisted: ours.calls.filter(
      ({ kind, state, callNo, createdAt }) =>
        kind === 'open' &&
        state === 'settled' &&
        Date.parse(createdAt) >= terms.since.getTime() &&
        !listed.has(callNo),
    ),
    stopped: ours.proxies.filter(
      ({ status, expireTime, providerInstanceNo, orderNo }) =>
        status === 'active' &&
        Date.parse(expireTime) > terms.now.getTime() &&
        !running.has(providerInstanceNo) &&
        !busy.has(orderNo),
    ),
  }
}

/** Finds the call of a supplier's order: by our number, else by the supplier's. */
function matcher(calls: readonly ComparedCall[]) {
  const byOurs = new Map(calls.map((call) => [call.callNo, call]))
  const byTheirs = new Map<string, ComparedCall>()
  for (const call of calls) {
    const { providerOrderNo, kind } = call
    // A release may carry the number of the order that it ends.
    if (providerOrderNo !== null && (kind === 'open' || !byTheirs.has(providerOrderNo)))
      byTheirs.set(providerOrderNo, call)
  }
  return ({ callNo, providerOrderNo }: SupplierOrder) =>
    (callNo === undefined ? undefined : byOurs.get(callNo)) ?? byTheirs.get(providerOrderNo)
}

/** Returns the numbers of our orders whose proxies are being opened, renewed, exchanged, reset or released. */
function busyOrders(calls: readonly ComparedCall[]): ReadonlySet<string> {
  return new Set(calls.filter(isUnderWay).map(({ orderNo }) => orderNo))
}

function isUnderWay({ nextAt, undelivered }: ComparedCall): boolean {
  return nextAt !== null || undelivered === 1
}

/** Whether an opening is under way. One in doubt does not count, so that what it may have brought is reported. */
function isPending(call: ComparedCall): boolean {
  return call.kind === 'open' && call.state !== 'in_doubt' && isUnderWay(call)
}

/** Whether a proxy may belong to a call that is under way. */
function mayBeOnItsWay({ providerOrderNo }: SupplierInstance, calls: readonly ComparedCall[]): boolean {
  return calls.some(
    (call) =>
      isPending(call) &&
      (call.providerOrderNo === null || call.providerOrderNo === (providerOrderNo ?? null)),
  )
}

function differencesOfOrder(
  order: SupplierOrder,
  call: ComparedCall | undefined,
  { calls }: OurBooks,
  { rate, rateSince }: Terms,
): SupplierDifference[] {
  const { providerOrderNo, status, amount } = order
  const subject = providerOrderNo
  const theirAmount = amount === undefined ? undefined : inAccountCurrency(amount, rate)
  const shown = theirAmount === undefined ? status : `${toText(theirAmount)} (${status})`
  if (!call) {
    const onItsWay = calls.some((one) => isPending(one) && one.providerOrderNo === null)
    // An order without our number may belong to a call whose answer has not arrived.
    if (status === 'failed' || (order.callNo === undefined && onItsWay)) return []
    return [{ kind: 'unknown_order', subject, orderNo: null, ours: '-', theirs: shown }]
  }
  const { orderNo, state, cost, kind, createdAt } = call
  if (state === 'refused')
    return status === 'failed'
      ? []
      : [{ kind: 'refused_order', subject, orderNo, ours: 'refused', theirs: shown }]
  const comparable =
    state === 'settled' &&
    (kind === 'open' || kind === 'renew') &&
    Date.parse(createdAt) >= rateSince.getTime() &&
    status !== 'failed'
  // Our amounts are rounded up to 10^-6, so they may differ by 1.
  if (!comparable || cost === null || theirAmount === undefined || Math.abs(theirAmount - cost) <= 1)
    return []
  return [{ kind: 'amount', subject, orderNo, ours: toText(cost), theirs: toText(theirAmount) }]
}

function notOurs({ providerInstanceNo, ip, port }: SupplierInstance): SupplierDifference[] {
  const theirs = `${ip}:${port}`
  return [{ kind: 'not_ours', subject: providerInstanceNo, orderNo: null, ours: '-', theirs }]
}

function differencesOfProxy(
  { expireTime, ip, port }: SupplierInstance,
  proxy: ComparedProxy,
  { now, releases }: Terms,
): SupplierDifference[] {
  const { providerInstanceNo: subject, orderNo, status, supplierExpireTime } = proxy
  const runsUntil = expireTime === undefined ? undefined : Date.parse(expireTime)
  const over = runsUntil !== undefined && runsUntil <= now.getTime()
  if (status === 'released')
    return releases && !over
      ? [{ kind: 'released_runs', subject, orderNo, ours: status, theirs: `${ip}:${port}` }]
      : []
  if (runsUntil === undefined || supplierExpireTime === null) return []
  const drift = runsUntil - Date.parse(supplierExpireTime)
  // An expired proxy may end earlier at the supplier; only a later end, which costs money, is a difference.
  const tolerated = status === 'expired' ? drift <= EXPIRY_DRIFT_MS : Math.abs(drift) <= EXPIRY_DRIFT_MS
  if (tolerated) return []
  return [
    { kind: 'expiry', subject, orderNo, ours: supplierExpireTime, theirs: new Date(runsUntil).toISOString() },
  ]
}
