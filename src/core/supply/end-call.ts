import type { CallKind } from '../../generated/prisma/client.ts'
import { dayOf } from '../calendar-day.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import type { OrderJobKind } from '../jobs/job-groups.ts'
import { type Micros, shareRoundedUp } from '../money.ts'
import { endOfTerm } from '../term.ts'
import {
  type Ended,
  type OpenRequest,
  type RefusalReason,
  type RenewRequest,
  SupplierFault,
  type SupplierInstance,
  type SupplierRequest,
} from './driver.ts'
import type { CallResult } from './outcome.ts'
import { inAccountCurrency } from './supplier-amount.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** A call, as the functions that carry it out need it. */
export interface CallInHand {
  readonly id: number
  readonly callNo: string
  readonly connectionId: number
  /** Name of the connection. */
  readonly connection: string
  /** Account currency for one unit of the supplier's currency, in 10^-6. */
  readonly rate: Micros
  readonly kind: CallKind
  readonly subject: string
  readonly orderNo: string
  readonly request: SupplierRequest
  readonly count: number
  readonly expectedCost: Micros
  readonly sentAt: string | null
}

/** How a call ended: by an answer of the supplier, or refused without any. */
export type Ending =
  | Ended
  | { readonly status: 'refused'; readonly reason: RefusalReason; readonly message: string }

/**
 * Ends a call (rules 11.10, 11.14): writes its state, cost and result, and enqueues the job that hands the result over, in the open
 * transaction. A call ends once; later answers change nothing.
 *
 * @returns the state in which it ended; undefined when it had ended before
 */
export async function endCall(
  deps: Essentials,
  tx: Tx,
  call: CallInHand,
  ending: Ending,
): Promise<'settled' | 'refused' | undefined> {
  const now = deps.clock.now()
  const { delivered, extra } = ending.status === 'ended' ? handedOver(call, ending) : NOTHING
  const state = delivered.length > 0 ? 'settled' : 'refused'
  const cost = costOf(call, ending, delivered.length)
  const result: CallResult = { instances: delivered }
  const ended = await setEnded(tx, {
    id: call.id,
    state,
    cost,
    providerOrderNo: (ending.status === 'ended' && ending.providerOrderNo) || null,
    result: state === 'settled' && call.kind !== 'release' ? JSON.stringify(result) : null,
    reason: (ending.status === 'ended' ? ending.reason : ending.message)?.slice(0, 500) ?? null,
    now,
  })
  if (ended.length === 0) return undefined
  const job = jobAfter(call)
  if (job) await deps.jobs.enqueue(tx, job, call.subject)
  if (delivered.length < call.count) await syncSoon(tx, { connectionId: call.connectionId, now })
  if (ending.status === 'refused' && ending.reason === 'out_of_stock') await emptyOffer(tx, call)
  if (ending.status === 'refused' && ending.reason === 'insufficient_balance')
    noteShortBalance(deps, tx, call)
  await tellOperator(deps, tx, call, { delivered, extra, cost })
  return state
}

interface HandedOver {
  readonly delivered: readonly SupplierInstance[]
  /** Number of proxies that the supplier has opened beyond those ordered. */
  readonly extra: number
}

const NOTHING: HandedOver = { delivered: [], extra: 0 }

/** Returns the proxies of an answer that count, each once: of an opening those that run, of other calls those that were asked for. */
function handedOver({ request, count }: CallInHand, { instances }: Ended): HandedOver {
  const each = [...new Map(instances.map((one) => [one.providerInstanceNo, one])).values()]
  if (request.kind !== 'open') {
    const asked = new Set(request.instances.map(({ providerInstanceNo }) => providerInstanceNo))
    return { delivered: each.filter(({ providerInstanceNo }) => asked.has(providerInstanceNo)), extra: 0 }
  }
  const seats = new Map(each.map((one) => [`${one.ip} ${one.port} ${one.username}`, one]))
  const running = [...seats.values()].filter(({ status }) => status === 'running')
  return { delivered: running.slice(0, count), extra: Math.max(0, running.length - count) }
}

/** Returns what the supplier charged; where it does not say, the expected cost of what it delivered. */
function costOf(call: CallInHand, ending: Ending, delivered: number): Micros {
  if (ending.status === 'refused') return 0
  const { amount } = ending
  const isReturn = call.kind === 'release'
  if (amount !== undefined) {
    try {
      return isReturn
        ? 0 - inAccountCurrency(amount, call.rate, 'down')
        : inAccountCurrency(amount, call.rate)
    } catch (error) {
      if (!(error instanceof SupplierFault)) throw error
    }
  }
  return isReturn ? 0 : shareRoundedUp(call.expectedCost, delivered, call.count)
}

interface EndOfCall {
  readonly id: number
  readonly state: 'settled' | 'refused'
  readonly cost: Micros
  readonly providerOrderNo: string | null
  readonly result: string | null
  readonly reason: string | null
  readonly now: Date
}

const setEnded = compiled<EndOfCall>()((db, { id, state, cost, providerOrderNo, result, reason, now }) =>
  db
    .updateTable('supplierCalls')
    .set(({ fn, ref }) => ({
      state,
      cost,
      result,
      reason,
      providerOrderNo: fn.coalesce(providerOrderNo, ref('providerOrderNo')),
      nextAt: null,
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where('state', 'not in', ['settled', 'refused'])
    .returning('id'),
)

/** Whether the call opens the proxies of its order, and not a replacement for one of them. */
export function isPurchase({ kind, subject, orderNo }: CallInHand): boolean {
  return kind === 'open' && subject === orderNo
}

/** Returns the job that hands over what a call has brought; a release brings nothing. */
function jobAfter(call: CallInHand): OrderJobKind | undefined {
  switch (call.kind) {
    case 'open':
      return isPurchase(call) ? 'complete_static_order' : 'complete_replacement'
    case 'renew':
      return 'complete_renewal'
    case 'reset':
      return 'complete_reset'
    case 'release':
      return undefined
  }
}

/** Makes the offers of a connection due to be read at once. */
export const syncSoon = compiled<{ connectionId: number; now: Date }>()((db, { connectionId, now }) =>
  db.updateTable('supplierConnections').set({ syncDueAt: now }).where('id', '=', connectionId),
)

/** Sets the stock of the offer that a call buys from to 0, until the offers are read again. */
export async function emptyOffer(tx: Tx, { connectionId, request }: CallInHand): Promise<void> {
  if (request.kind === 'open') await setStockOut(tx, { connectionId, offerNo: request.offerNo })
}

const setStockOut = compiled<{ connectionId: number; offerNo: string }>()((db, { connectionId, offerNo }) =>
  db
    .updateTable('supplierOffers')
    .set({ stock: 0 })
    .where('connectionId', '=', connectionId)
    .where('offerNo', '=', offerNo),
)

/** Tells the operator, once a day, that a balance was short although the mirror said that it suffices (rules 11.16). */
function noteShortBalance(deps: Essentials, tx: Tx, { connection, callNo, orderNo }: CallInHand): void {
  happened(tx, {
    kind: 'supplier_balance_short',
    subject: `${connection} ${dayOf(deps.clock.now())}`,
    data: { connection, callNo, orderNo },
  })
}

interface Brought extends HandedOver {
  readonly cost: Micros
}

/** Tells the operator how the delivery deviates from the order, and pauses an offer that cost more than expected (rules 11.14). */
async function tellOperator(
  deps: Essentials,
  tx: Tx,
  call: CallInHand,
  { delivered, extra, cost }: Brought,
): Promise<void> {
  const { connection, callNo, orderNo, request, count } = call
  const about = { connection, callNo, orderNo }
  const subject = callNo
  if (extra > 0) {
    const data = { ...about, ordered: count, extra }
    happened(tx, { kind: 'supplier_extra', subject, data })
  }
  if (delivered.length === 0 || (request.kind !== 'open' && request.kind !== 'renew')) return
  const expected = shareRoundedUp(call.expectedCost, delivered.length, count)
  if (isTooDear(call, request, cost, { expected, delivered: delivered.length })) {
    await pauseOffer(tx, call, `the supplier charged more than it had said (call ${callNo})`)
    const data = { ...about, expected, charged: cost }
    happened(tx, { kind: 'supplier_price_changed', subject, data })
  }
  const short = request.kind === 'open' ? shortTerm(deps, call, request, delivered) : undefined
  if (short) {
    const data = { ...about, ...short }
    happened(tx, { kind: 'supplier_short_term', subject, data })
  }
}

/** Tolerated excess of a charge over the expected cost, in percent. */
const TOLERANCE_PERCENT = 1n

function isTooDear(
  { count, rate }: CallInHand,
  { ceiling }: OpenRequest | RenewRequest,
  cost: Micros,
  { expected, delivered }: { readonly expected: Micros; readonly delivered: number },
): boolean {
  const most = shareRoundedUp(inAccountCurrency(ceiling, rate), delivered, count)
  return cost > most || BigInt(cost) * 100n > BigInt(expected) * (100n + TOLERANCE_PERCENT)
}

async function pauseOffer(tx: Tx, { request, connectionId, orderNo }: CallInHand, reason: string) {
  await (request.kind === 'open'
    ? pauseNamedOffer(tx, { connectionId, offerNo: request.offerNo, reason })
    : pauseOfferOfOrder(tx, { orderNo, reason }))
}

const pauseNamedOffer = compiled<{ connectionId: number; offerNo: string; reason: string }>()(
  (db, { connectionId, offerNo, reason }) =>
    db
      .updateTable('supplierOffers')
      .set({ paused: true, pauseReason: reason })
      .where('connectionId', '=', connectionId)
      .where('offerNo', '=', offerNo),
)

const pauseOfferOfOrder = compiled<{ orderNo: string; reason: string }>()((db, { orderNo, reason }) =>
  db
    .updateTable('supplierOffers')
    .set({ paused: true, pauseReason: reason })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('staticOrders as o')
        .innerJoin('locations as l', 'l.id', 'o.locationId')
        .select(({ ref }) => ref('l.offerId').$notNull().as('offerId'))
        .where('o.orderNo', '=', orderNo)
        .where('l.offerId', 'is not', null),
    ),
)

/** Tolerated shortfall of a term against the one that was bought, in ms. */
const SHORTER_MS = 12 * 3_600_000

/** Returns the earliest expiry of the proxies and the end of the bought term; undefined unless that expiry is too early. */
function shortTerm(
  deps: Essentials,
  { sentAt }: CallInHand,
  { periods, periodUnit, periodLength }: OpenRequest,
  delivered: readonly SupplierInstance[],
): { readonly expireTime: string; readonly boughtUntil: string } | undefined {
  const from = sentAt === null ? deps.clock.now() : new Date(sentAt)
  const total = periods * periodLength
  const boughtUntil = endOfTerm(from, periodUnit === 1 ? { days: total } : { months: total })
  const times = delivered.flatMap(({ expireTime }) => (expireTime ? [Date.parse(expireTime)] : []))
  const earliest = Math.min(...times.filter((time) => !Number.isNaN(time)))
  if (earliest >= boughtUntil.getTime() - SHORTER_MS) return undefined
  return { expireTime: new Date(earliest).toISOString(), boughtUntil: boughtUntil.toISOString() }
}
